/** The colours that bricks are sold in, as the server or a replay's file tells them: LDraw's codes, names and looks. */

export interface Colour {
  readonly code: number;
  readonly name: string;
  readonly hex: string; // with its sign, as in "#b40000"
  readonly common: boolean; // bricks and plates of all usual sizes were made in it
}

export const RED = 4;
export const BLACK = 0;
export const FAULT = "#ff2d1e"; // no brick of the palette is as bright a red
const UNKNOWN = "#969696";
// What a box of paints holds, in the order of a rainbow.
const BASIC = [4, 25, 14, 27, 2, 1, 22, 13, 70, 15, 72, 0];

/** What is known of colours. One for a page, because a colour looks the same wherever it is shown. */
class Palette {
  private byCode = new Map<number, Colour>();

  get colours(): readonly Colour[] {
    return [...this.byCode.values()];
  }

  /** Some colours to begin with; the others can be asked for. */
  get basic(): readonly Colour[] {
    return BASIC.flatMap((code) => this.byCode.get(code) ?? []);
  }

  learn(colours: readonly Colour[]): void {
    this.byCode = new Map(colours.map((colour) => [colour.code, { ...colour, hex: withSign(colour.hex) }]));
  }

  get(code: number): Colour | undefined {
    return this.byCode.get(code);
  }
}

export const palette = new Palette();

/** A colour's hex code; unknown codes, which a file from elsewhere may hold, are grey. */
export function hexOf(code: number): string {
  return palette.get(code)?.hex ?? UNKNOWN;
}

/** How a replay's file tells its colours: looks by codes. */
export function looksOf(codes: Iterable<number>): Record<string, string> {
  return Object.fromEntries([...new Set(codes)].map((code) => [String(code), hexOf(code)]));
}

/** Colours of which only the looks are known. */
export function coloursOf(looks: Readonly<Record<string, string>>): Colour[] {
  return Object.entries(looks).map(([code, hex]) => ({ code: Number(code), name: "", hex, common: false }));
}

export type Rgb = readonly [red: number, green: number, blue: number];

/** Red, green and blue, 0 to 255. */
export function rgbOf(hex: string): Rgb {
  const number = Number.parseInt(hex.replace("#", ""), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

function withSign(hex: string): string {
  return hex.startsWith("#") ? hex : `#${hex}`;
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
