/** The colours that bricks are sold in: `colours.py`, LDraw's codes. */

export interface Colour {
  readonly code: number;
  readonly name: string;
  readonly hex: string;
}

export const COLOURS: readonly Colour[] = [
  { code: 4, name: "red", hex: "#b40000" },
  { code: 25, name: "orange", hex: "#d67923" },
  { code: 14, name: "yellow", hex: "#fac80a" },
  { code: 27, name: "lime", hex: "#a5ca18" },
  { code: 2, name: "green", hex: "#00852b" },
  { code: 1, name: "blue", hex: "#1e5aa8" },
  { code: 70, name: "reddish brown", hex: "#5f3109" },
  { code: 19, name: "tan", hex: "#d7ba8c" },
  { code: 15, name: "white", hex: "#f4f4f4" },
  { code: 71, name: "light bluish grey", hex: "#969696" },
  { code: 72, name: "dark bluish grey", hex: "#646464" },
  { code: 0, name: "black", hex: "#1b2a34" },
];

export const RED = 4;
export const FAULT = "#ff2d1e"; // no brick of the palette is as bright a red

const BY_CODE = new Map(COLOURS.map((colour) => [colour.code, colour]));

/** A colour's hex code; unknown codes, which a file from elsewhere may hold, are grey. */
export function hexOf(code: number): string {
  return BY_CODE.get(code)?.hex ?? "#969696";
}

/** How probable a brick is, as a colour: violet, green, yellow, which differ in lightness too. */
export function heat(share: number): [red: number, green: number, blue: number] {
  const stops: readonly [number, number, number][] = [
    [0.28, 0.2, 0.62],
    [0.1, 0.6, 0.55],
    [0.99, 0.85, 0.1],
  ];
  const along = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const below = Math.min(Math.floor(along), stops.length - 2);
  const [from, to] = [stops[below]!, stops[below + 1]!];
  const mix = (channel: 0 | 1 | 2): number => from[channel] + (along - below) * (to[channel] - from[channel]);
  return [mix(0), mix(1), mix(2)];
}
