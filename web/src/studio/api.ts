/** What the studio asks of its server. One function a request; whatever goes wrong becomes an error with one sentence. */

import type { Brick, Cell, Construction, Likeness, Pose, Volume } from "../model/brick";
import type { Colour } from "../model/colours";
import type { Drawing } from "../model/ink";
import type { Part } from "../model/parts";
import { eventsOf } from "../model/server_events";
import { hullOf, type View } from "../model/views";

export interface Agent {
  readonly id: string;
  readonly label: string;
  readonly views: readonly number[]; // how many views it can build from
  readonly sees: "images" | "volume";
  readonly probabilities: boolean;
  readonly cells: number | null; // of a side of what it builds; null: any number
  readonly default?: boolean;
}

export interface GalleryItem {
  readonly name: string; // to ask for it by
  readonly title: string;
  readonly kind: string;
  readonly preview: string | null; // a picture's address
  readonly views?: readonly View[];
}

export interface GallerySection {
  readonly title: string;
  readonly items: readonly GalleryItem[];
}

export type TargetSettings = Readonly<Record<string, string | number | boolean | null>>;

export interface Target {
  readonly id: string;
  readonly name: string;
  readonly kind: "picture" | "mesh" | "silhouettes" | "drawing";
  readonly views: readonly View[];
  readonly budget: number | null; // the mason takes as many bricks as it needs
  readonly notes: readonly string[];
  readonly hull: Volume; // the cells that views allow an agent; none for the mason, who is told all cells
  readonly preview: string | null; // what will be built, as a picture's address
  readonly belief: string | null; // how likely each cell is filled, where silhouettes leave that open; a picture's address
  readonly source: string | null; // what was sent
  readonly size: readonly [x: number, y: number, z: number]; // studs, studs and layers
  readonly layer: number; // plates that its layers are high
  readonly millimetres: readonly [width: number, depth: number, height: number];
  readonly cells: number;
  readonly coloured: boolean; // whether it has colours of its own
  readonly settings: TargetSettings; // as they came out
  readonly byMason: boolean; // whether it was read for the mason
}

export interface Fault {
  readonly brick: number;
  readonly reason: string;
}

export interface Judgement {
  readonly verdict: Readonly<Record<string, boolean | number | null>>;
  readonly faults: readonly Fault[];
  readonly sentences: readonly string[];
}

/** A model that a file holds. */
export interface Opened extends Judgement {
  readonly name: string;
  readonly bricks: readonly Brick[];
  readonly notes: readonly string[];
  readonly builder?: string;
}

export interface Candidate extends Pose {
  readonly pivot: number | null; // null for the first brick
  readonly offset: number | null;
  readonly probability: number | null;
}

export interface MaskedCandidate extends Pose {
  readonly reason: string;
}

export interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly masked: readonly MaskedCandidate[];
}

export interface Order {
  readonly target: string;
  readonly agent: string;
  readonly seed: number;
  readonly budget: number | null;
  readonly colours: readonly number[];
  readonly bricks: readonly Brick[];
  readonly settings: TargetSettings;
}

export type BuildEvent =
  | { readonly kind: "start"; readonly budget: number | null }
  | { readonly kind: "progress"; readonly share: number; readonly doing: string }
  | { readonly kind: "bricks"; readonly bricks: readonly Brick[] }
  | {
      readonly kind: "brick";
      readonly index: number;
      readonly brick: Brick;
      readonly iou: number;
      readonly views: readonly View[];
    }
  | ({
      readonly kind: "done";
      readonly construction: Construction;
      readonly iou: number | null;
      readonly likeness?: Likeness | null;
      readonly builder?: string;
    } & Judgement)
  | { readonly kind: "problem"; readonly message: string };

const BUILD_EVENTS = new Set(["start", "progress", "bricks", "brick", "done", "problem"]);

export class ServerError extends Error {
  constructor(
    message: string,
    readonly status = 0,
  ) {
    super(message);
  }
}

export async function agents(): Promise<readonly Agent[]> {
  return (await json<{ agents: Agent[] }>("agents")).agents;
}

export async function gallery(): Promise<readonly GallerySection[]> {
  return (await json<{ sections: GallerySection[] }>("gallery")).sections;
}

export async function colours(): Promise<readonly Colour[]> {
  return (await json<{ colours: Colour[] }>("palette")).colours;
}

/** All parts, and what can be chosen of them for a build. */
export interface PartsOffered {
  readonly parts: readonly Part[];
  readonly choices: readonly string[]; // as in "bricks" and "plates"
  readonly usual: string; // of the choices
}

export function partsOffered(): Promise<PartsOffered> {
  return json<PartsOffered>("parts");
}

/** How inputs are to be read, and for whom. */
export interface Reading {
  readonly settings: TargetSettings;
  readonly byMason: boolean;
}

/** The target that drawings show: one from the front, or front, side and top. */
export async function targetOfDrawings(
  drawings: readonly Drawing[],
  { settings, byMason }: Reading,
  signal: AbortSignal,
): Promise<Target> {
  return asTarget(await json<Described>("targets", { drawings, settings }, signal), byMason);
}

export async function targetOfGallery(
  gallery: string,
  { settings, byMason }: Reading,
  signal: AbortSignal,
): Promise<Target> {
  return asTarget(await json<Described>("targets", { gallery, settings }, signal), byMason);
}

/** The target that a file holds. A file that the server has already is not sent again. */
export async function targetOfFile(
  file: File,
  id: string | null,
  { settings, byMason }: Reading,
  signal: AbortSignal,
): Promise<Target> {
  if (id !== null) {
    try {
      return asTarget(await json<Described>(`targets/${id}`, { settings }, signal), byMason);
    } catch (error) {
      if (!(error instanceof ServerError) || error.status !== 404) throw error;
    }
  }
  const form = new FormData();
  form.append("file", file);
  form.append("settings", JSON.stringify(settings));
  const response = await ask("targets", { method: "POST", body: form, signal });
  return asTarget((await response.json()) as Described, byMason);
}

/** The model that a file holds. */
export async function openModel(file: File, signal: AbortSignal): Promise<Opened> {
  const form = new FormData();
  form.append("file", file);
  const response = await ask("models", { method: "POST", body: form, signal });
  return (await response.json()) as Opened;
}

type Described = Omit<Target, "hull" | "byMason"> & { readonly hull?: readonly Cell[] };

/** The server leaves out a hull that follows from the views alone. */
function asTarget(described: Described, byMason: boolean): Target {
  const cells = byMason ? [] : (described.hull ?? hullOf(described.views));
  return { ...described, byMason, hull: { cells, layer: described.layer } };
}

/** The bricks of a build as they are placed. */
export async function* build(order: Order, signal: AbortSignal): AsyncGenerator<BuildEvent> {
  const response = await ask("builds", posted(order, signal));
  if (!response.body) throw new ServerError("the server sent nothing");
  for await (const { event, data } of eventsOf(response.body)) {
    if (BUILD_EVENTS.has(event)) yield { kind: event, ...(JSON.parse(data) as object) } as BuildEvent;
  }
}

export function candidates(
  target: string,
  agent: string,
  bricks: readonly Brick[],
  masked: boolean,
  signal: AbortSignal,
): Promise<Candidates> {
  return json<Candidates>("candidates", { target, agent, bricks, masked }, signal);
}

export function check(bricks: readonly Brick[], budget: number | null, signal: AbortSignal): Promise<Judgement> {
  return json<Judgement>("check", { bricks, budget }, signal);
}

/** Why a brick may not be placed, or null. */
export async function place(bricks: readonly Brick[], brick: Brick): Promise<string | null> {
  return (await json<{ reason: string | null }>("place", { bricks, brick })).reason;
}

export async function exportZip(
  target: string | null,
  bricks: readonly Brick[],
  walls: number | null,
  kinds: readonly string[],
  name: string,
): Promise<Blob> {
  return (await ask("export", posted({ target, bricks, walls, kinds, name }))).blob();
}

/** The replay page that lies beside this one, with room for models. */
export async function replayTemplate(): Promise<string> {
  const response = await fetch("replay.html");
  if (!response.ok) throw new ServerError("the server does not have the replay page: build it with make page");
  return response.text();
}

async function json<Answer>(path: string, body?: object, signal?: AbortSignal): Promise<Answer> {
  const response = await ask(path, body ? posted(body, signal) : {});
  return (await response.json()) as Answer;
}

function posted(body: object, signal?: AbortSignal): RequestInit {
  const headers = { "content-type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(body), ...(signal ? { signal } : {}) };
}

async function ask(path: string, request: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`api/${path}`, request);
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ServerError("the studio's server does not answer: is it still running?");
  }
  if (response.ok) return response;
  const answer: unknown = await response.json().catch(() => null);
  const told = typeof answer === "object" && answer !== null && "message" in answer ? String(answer.message) : null;
  throw new ServerError(told ?? `the server answered ${response.status}`, response.status);
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
