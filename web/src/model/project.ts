/** A project: what was given, how it is to be built and what was built of it, in one file that this page reads again. */

import { upToDate, type Construction } from "./brick.ts";
import type { Drawing } from "./ink.ts";
import { settingsOf, type Settings } from "./settings.ts";

const FORMAT = "brickbybrick project";
const VERSION = 1;

export type Input =
  | { readonly kind: "drawings"; readonly name: string; readonly drawings: readonly Drawing[] }
  | { readonly kind: "file"; readonly name: string; readonly content: string } // base64
  | { readonly kind: "gallery"; readonly name: string };

export interface Project {
  readonly input: Input | null;
  readonly settings: Settings;
  readonly agent: string;
  readonly model: Construction | null;
}

export function projectText(project: Project): string {
  return JSON.stringify({ format: FORMAT, version: VERSION, ...project });
}

/** The project that a text holds; null where it is something else. */
export function projectOf(text: string): Project | null {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof record !== "object" || record === null || !("format" in record) || record.format !== FORMAT) return null;
  const { version, input, settings, agent, model } = record as Record<string, unknown>;
  if (version !== VERSION) throw new Error("this project was saved by a newer studio: update this one");
  return {
    input: isInput(input) ? input : null,
    settings: settingsOf(settings),
    agent: typeof agent === "string" ? agent : "",
    model: isModel(model) ? upToDate(model) : null,
  };
}

function isInput(value: unknown): value is Input {
  if (typeof value !== "object" || value === null) return false;
  const { kind, name, content, drawings } = value as Record<string, unknown>;
  if (typeof name !== "string") return false;
  if (kind === "drawings") return Array.isArray(drawings) && (drawings.length === 1 || drawings.length === 3);
  return kind === "gallery" || (kind === "file" && typeof content === "string");
}

function isModel(value: unknown): value is Construction {
  return typeof value === "object" && value !== null && "bricks" in value && Array.isArray(value.bricks);
}
