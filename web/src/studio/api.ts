/** What the studio asks of its server. One function a request; whatever goes wrong becomes an error with one sentence. */

import type { Brick, Cell, Construction, Pose } from "../model/brick";
import { base64, type Ink } from "../model/ink";
import { eventsOf } from "../model/server_events";
import { hullOf, type View } from "../model/views";

export interface Agent {
  readonly name: string;
  readonly label: string;
  readonly views: readonly number[]; // how many views it can build from
  readonly sees: "images" | "volume";
  readonly probabilities: boolean;
}

export interface GalleryTarget {
  readonly name: string;
  readonly views: readonly View[];
}

export interface Target {
  readonly target: string; // what the server calls it
  readonly name: string;
  readonly views: readonly View[];
  readonly budget: number;
  readonly notes: readonly string[];
  readonly hull: readonly Cell[]; // the cells that the views allow
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
  readonly budget: number;
  readonly colours: readonly number[];
  readonly bricks: readonly Brick[];
}

export type BuildEvent =
  | { readonly kind: "start"; readonly budget: number }
  | {
      readonly kind: "brick";
      readonly index: number;
      readonly brick: Brick;
      readonly iou: number;
      readonly views: readonly View[];
    }
  | ({ readonly kind: "done"; readonly construction: Construction; readonly iou: number | null } & Judgement)
  | { readonly kind: "problem"; readonly message: string };

const BUILD_EVENTS = new Set(["start", "brick", "done", "problem"]);

export class ServerError extends Error {}

export async function agents(): Promise<readonly Agent[]> {
  return (await json<{ agents: Agent[] }>("agents")).agents;
}

export async function gallery(): Promise<readonly GalleryTarget[]> {
  return (await json<{ targets: GalleryTarget[] }>("gallery")).targets;
}

/** The target that drawings show: one from the front, or front, side and top. */
export async function targetOfDrawings(drawings: readonly Ink[], signal: AbortSignal): Promise<Target> {
  const encoded = drawings.map(({ width, height, pixels }) => ({ width, height, pixels: base64(pixels) }));
  return withHull(await json<Described>("target", { drawings: encoded }, signal));
}

export async function targetOfGallery(name: string, signal: AbortSignal): Promise<Target> {
  return withHull(await json<Described>("target", { gallery: name }, signal));
}

export async function targetOfFile(file: File, signal: AbortSignal): Promise<Target> {
  const form = new FormData();
  form.append("file", file);
  const response = await ask("target", { method: "POST", body: form, signal });
  return withHull((await response.json()) as Described);
}

type Described = Omit<Target, "hull"> & Partial<Pick<Target, "hull">>;

/** A server may leave out a hull that follows from the views alone. */
function withHull(described: Described): Target {
  return { ...described, hull: described.hull ?? hullOf(described.views) };
}

/** The bricks of a build as they are placed. */
export async function* build(order: Order, signal: AbortSignal): AsyncGenerator<BuildEvent> {
  const response = await ask("build", posted(order, signal));
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

export function check(bricks: readonly Brick[], budget: number, signal: AbortSignal): Promise<Judgement> {
  return json<Judgement>("check", { bricks, budget }, signal);
}

/** Why a brick may not be placed, or null. */
export async function place(bricks: readonly Brick[], brick: Brick): Promise<string | null> {
  return (await json<{ reason: string | null }>("place", { bricks, brick })).reason;
}

export async function exportZip(
  target: string,
  bricks: readonly Brick[],
  kinds: readonly string[],
  name: string,
): Promise<Blob> {
  return (await ask("export", posted({ target, bricks, kinds, name }))).blob();
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
  throw new ServerError(told ?? `the server answered ${response.status}`);
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
