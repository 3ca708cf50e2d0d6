import { expect, it } from "vitest";
import { BRICK } from "./some_parts";
import { MARK, replayHtml, safeJson, type Replay } from "../src/model/replay_file";
import type { Construction } from "../src/model/brick";

const wicked = "</script><script>alert(1)</script><!-- \u2028 $& \\";
const construction: Construction = { schema: 2, bricks: [], target: wicked, builder: "", budget: null, iou: null };

it("JSON inside a page holds nothing that a browser takes for markup, and is the same when read", () => {
  const text = safeJson({ wicked });
  expect(text).not.toMatch(/[<\u2028]/);
  expect(JSON.parse(text)).toEqual({ wicked });
});

it("a replay is the template with the models in it", () => {
  const replay: Replay = { title: "t", constructions: [construction], colours: { "4": "#b40000" }, parts: [BRICK] };
  const page = replayHtml(`<script>${MARK}</script>`, replay);
  const inside = /^<script>(.*)<\/script>$/s.exec(page)?.[1] ?? "";
  expect(JSON.parse(inside)).toEqual(replay);
});

it("a template without room is refused", () => {
  expect(() => replayHtml("<html>", { title: "", constructions: [], colours: {}, parts: [] })).toThrow("not built");
});
