/** Parts: bricks, plates, tiles and slopes, with their shapes as the server or a replay's file tells them. */

export type Column = readonly [x: number, y: number];
export type Point = readonly [along: number, up: number];

/** A part in direction 0, in studs and plates from the corner of its box. */
export interface Part {
  readonly name: string; // as in "2x4" for a brick and "plate 2x4" for a plate
  readonly kind: string; // as in "brick" and "slope 45"
  readonly width: number; // studs along x
  readonly length: number; // studs along y
  readonly height: number; // plates
  readonly directions: number; // that differ
  readonly profile: readonly Point[]; // the outline seen from the front, counterclockwise
  readonly studs: readonly Column[]; // columns that have a stud on top
  readonly sockets: readonly Column[]; // columns into which a stud goes from below
  readonly colours?: readonly number[]; // that it was made in, where that is told
}

export const BRICK_HIGH = 3; // plates

/** The parts that are known. One list for a page, because a part looks the same wherever it is shown. */
class Parts {
  private byName = new Map<string, Part>();

  get all(): readonly Part[] {
    return [...this.byName.values()];
  }

  learn(parts: readonly Part[]): void {
    this.byName = new Map(parts.map((part) => [part.name, part]));
  }

  get(name: string): Part | undefined {
    return this.byName.get(name);
  }

  /** Those of some names, each once, for a replay's file. */
  named(names: Iterable<string>): Part[] {
    return [...new Set(names)].map(partOf);
  }
}

export const parts = new Parts();

/** The part of a name. */
export function partOf(name: string): Part {
  const part = parts.get(name);
  if (!part) throw new Error(`no part ${name} is known here: open the model with a newer version`);
  return part;
}

/** Columns of a part, told of direction 0, in another: what was towards +x is then towards +y, -x or -y. */
export function turned({ width }: Part, columns: readonly Column[], d: number): Column[] {
  return columns.map(([x, y]) => {
    const along = d >= 2 ? width - 1 - x : x;
    return d % 2 === 0 ? [along, y] : [y, along];
  });
}
