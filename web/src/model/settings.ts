/** How something is to be built by the mason: what the server calls settings, with what is chosen at first. */

export interface Settings {
  readonly size: number | null; // studs of the longest side; null: as the input needs
  readonly parts: string; // one of the server's choices, as in "plates"; empty: the usual
  readonly smooth: boolean; // tops covered by tiles
  readonly depth: number | null; // studs from a picture's front to its back; null: by its height
  readonly proportions: "real" | "cubic";
  readonly mosaic: boolean; // laid flat, studs up
  readonly dither: boolean; // a mosaic's colours mixed of others
  readonly palette: string; // "all", "common", or names with commas between them
  readonly background: "auto" | "keep" | "drop";
  readonly contrast: number;
  readonly hidden: "believed" | "full"; // what silhouettes leave open: as a network believes, or all filled
  readonly inventory: string; // the bricks there are, as in "2x4=100,red 1x2=20"; empty: no end of any
  readonly hollow: number | null; // cells of the walls; null: solid
  readonly repair: boolean; // with more bricks if it falls in spite of the mason's own pillars
}

export const USUAL: Settings = {
  size: null,
  parts: "",
  smooth: false,
  depth: null,
  proportions: "real",
  mosaic: false,
  dither: false,
  palette: "all",
  background: "auto",
  contrast: 1,
  hidden: "believed",
  inventory: "",
  hollow: null,
  repair: false,
};

type Sent = Readonly<Record<string, string | number | boolean>>;

/** What is chosen to build of: bricks, where each is to be a cube, for a third of one would be none. */
export function partsIn({ parts, proportions }: Settings): string {
  return proportions === "cubic" ? "bricks" : parts;
}

/** What decides how an input is read. What is left to the server is left out, and so is what does not apply. */
export function forReading(settings: Settings, agent: string, byMason: boolean): Sent {
  if (!byMason) return { agent };
  const { size, depth, proportions, mosaic, dither, palette, background, contrast, hidden, inventory } = settings;
  return without({
    agent,
    size,
    parts: partsIn(settings) || null,
    proportions,
    background,
    contrast,
    hidden,
    palette,
    inventory: inventory || null,
    depth: mosaic ? null : depth,
    mosaic,
    dither: mosaic && dither,
  });
}

/** What decides how a target is built. */
export function forBuilding(settings: Settings, byMason: boolean): Sent {
  if (!byMason) return {};
  const { hollow, repair, palette, smooth, inventory } = settings;
  const tiles = smooth && partsIn(settings) !== "bricks";
  return without({ hollow, repair, palette, smooth: tiles, inventory: inventory || null });
}

function without(settings: Readonly<Record<string, string | number | boolean | null>>): Sent {
  return Object.fromEntries(Object.entries(settings).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

/** Settings that a file holds, as far as they can be used. */
export function settingsOf(value: unknown): Settings {
  if (typeof value !== "object" || value === null) return USUAL;
  const given = value as Record<string, unknown>;
  const usual: Readonly<Record<string, unknown>> = { ...USUAL };
  const kept: Record<string, unknown> = { ...usual };
  for (const [name, value] of Object.entries(usual)) {
    const there = given[name];
    const number = value === null || typeof value === "number";
    const fits = number ? typeof there === "number" && Number.isFinite(there) : typeof there === typeof value;
    if (fits) kept[name] = there;
  }
  return { ...USUAL, ...kept };
}
