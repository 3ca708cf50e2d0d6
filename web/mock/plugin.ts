/** The toy server as part of Vite's own: `npm run dev` has a studio that builds without Python. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Plugin } from "vite";
import type { Brick } from "../src/model/brick.ts";
import type { Order } from "../src/studio/api.ts";
import * as world from "./world.ts";

const POLICY = "default-src 'self'; img-src 'self' data: blob:; style-src 'self'";
const AGENTS = [
  { name: "b3", label: "B3, the learned agent", views: [1, 3], sees: "images", probabilities: true },
  { name: "greedy", label: "Greedy", views: [1, 3], sees: "volume", probabilities: false },
  { name: "random", label: "Random", views: [1, 3], sees: "images", probabilities: false },
];

interface Asked extends Order {
  readonly brick: Brick;
  readonly masked: boolean;
  readonly gallery?: string;
  readonly drawings?: readonly world.Drawing[];
}

const targets = new Map<string, world.MockTarget>();

export function mock(): Plugin {
  const handle = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (!request.url?.startsWith("/api/")) return next();
    answer(request, response).catch((error: unknown) => {
      send(response, { message: error instanceof Error ? error.message : String(error) }, 422);
    });
  };
  return {
    name: "mock",
    configureServer: (server) => void server.middlewares.use(handle),
    configurePreviewServer: (server) => {
      server.middlewares.use((_, response, next) => {
        response.setHeader("content-security-policy", POLICY);
        next();
      });
      server.middlewares.use(handle);
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url!.slice("/api/".length);
  if (path === "agents") return send(response, { agents: AGENTS });
  if (path === "gallery") return send(response, { targets: world.GALLERY });
  const body = await bodyOf(request);
  if (path === "target") return send(response, keep(request, body));
  const asked = JSON.parse(body) as Asked;
  if (path === "check") return send(response, world.judge(asked.bricks, asked.budget));
  if (path === "place") {
    const { obstacle } = await import("../src/model/brick.ts");
    const reason = obstacle(asked.brick, asked.bricks);
    return send(response, { ok: reason === null, reason });
  }
  const target = targets.get(asked.target);
  if (!target) throw new Error("no such target: draw it again");
  if (path === "candidates") {
    const { free, masked } = world.options(target, asked.bricks);
    const shares = asked.agent === "b3" ? world.shares(free) : free.map(() => null);
    const candidates = free.map((option, index) => ({ ...option, probability: shares[index] }));
    return send(response, { candidates, masked: asked.masked ? masked : [] });
  }
  if (path === "build") return build(target, asked, response);
  if (path === "export") {
    response.setHeader("content-type", "application/zip");
    response.end(Buffer.from("504b0506" + "00".repeat(18), "hex")); // an empty archive
    return;
  }
  send(response, { message: `no such request: ${path}` }, 404);
}

function keep(request: IncomingMessage, body: string): world.MockTarget {
  const id = `t${targets.size + 1}`;
  let made: world.MockTarget;
  if (request.headers["content-type"]?.startsWith("multipart")) {
    made = world.targetOf(id, "a file", world.GALLERY[1]!.views);
  } else {
    const { gallery, drawings } = JSON.parse(body) as Asked;
    const known = world.GALLERY.find((each) => each.name === gallery);
    if (gallery && !known) throw new Error(`no target named ${gallery}`);
    made = world.targetOf(id, known?.name ?? "a drawing", known?.views ?? (drawings ?? []).map(world.viewOfDrawing));
  }
  targets.set(id, made);
  return made;
}

async function build(target: world.MockTarget, asked: Asked, response: ServerResponse): Promise<void> {
  response.setHeader("content-type", "text/event-stream");
  const tell = (event: string, data: object): void =>
    void response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const bricks = [...asked.bricks];
  let state = asked.seed + 1;
  const random = (): number => (state = (state * 16807) % 2147483647) / 2147483647;
  tell("start", { budget: asked.budget, bricks: bricks.length });
  while (bricks.length < asked.budget && !response.destroyed) {
    const pose = world.nextBrick(target, bricks, asked.agent, random);
    if (!pose) break;
    const { part, x, y, z, d } = pose;
    const colour = asked.colours[bricks.length % asked.colours.length] ?? 4;
    const brick = { part, x, y, z, d, colour, step: bricks.length };
    bricks.push(brick);
    tell("brick", { index: bricks.length - 1, brick, ...world.scoreOf(target, bricks) });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { iou } = world.scoreOf(target, bricks);
  const construction = {
    schema: 1,
    bricks,
    target: target.name,
    builder: asked.agent,
    budget: asked.budget,
    iou,
    notes: [],
    verdict: {},
  };
  tell("done", { construction, iou, ...world.judge(bricks, asked.budget) });
  response.end();
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts).toString("utf-8");
}

function send(response: ServerResponse, value: object, status = 200): void {
  response.statusCode = status;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
}
