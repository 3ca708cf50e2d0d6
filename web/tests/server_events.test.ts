import { describe, expect, it } from "vitest";
import { EventParser, eventsOf } from "../src/model/server_events";

const STREAM =
  'event: start\ndata: {"budget":3}\n\n: alive\n\nevent: brick\r\ndata: {"a":\r\ndata: 1}\r\n\r\ndata: plain\n\n';
const EVENTS = [
  { event: "start", data: '{"budget":3}' },
  { event: "brick", data: '{"a":\n1}' },
  { event: "message", data: "plain" },
];

describe("server-sent events", () => {
  it("are read as the standard has it: comments, line ends, data in several lines, no name", () => {
    expect(new EventParser().push(STREAM)).toEqual(EVENTS);
  });

  it("are the same wherever the stream is cut", () => {
    for (let size = 1; size < 12; size++) {
      const parser = new EventParser();
      const events = [];
      for (let at = 0; at < STREAM.length; at += size) events.push(...parser.push(STREAM.slice(at, at + size)));
      expect(events).toEqual(EVENTS);
    }
  });

  it("that were never finished are no events", () => {
    expect(new EventParser().push("event: done\ndata: {}\n")).toEqual([]);
  });

  it("survive a letter that is cut in half", async () => {
    const bytes = new TextEncoder().encode("data: größer\n\n");
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const events = [];
    for await (const event of eventsOf(body)) events.push(event);
    expect(events).toEqual([{ event: "message", data: "größer" }]);
  });

  it("stop the server when nobody listens any more", async () => {
    let stopped = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("data: x\n\n")),
      cancel: () => void (stopped = true),
    });
    for await (const event of eventsOf(body)) if (event.data === "x") break;
    expect(stopped).toBe(true);
  });
});
