/** Server-sent events as they come over `fetch`, in pieces cut anywhere. */

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

export class EventParser {
  private rest = "";
  private event = "";
  private data: string[] = [];

  /** The events that a further piece of text completes. */
  push(text: string): ServerEvent[] {
    // A carriage return at the very end may be half of a line end.
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? "";
    const done: ServerEvent[] = [];
    for (const line of lines) {
      if (line !== "") this.field(line);
      else {
        if (this.data.length) done.push({ event: this.event || "message", data: this.data.join("\n") });
        this.event = "";
        this.data = [];
      }
    }
    return done;
  }

  private field(line: string): void {
    const colon = line.indexOf(":");
    if (colon === 0) return; // a comment, which keeps the connection alive
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") this.event = value;
    else if (name === "data") this.data.push(value);
  }
}

/** The events of a response, until it ends. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const parser = new EventParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    // A reader who leaves early must not leave the server building.
    await reader.cancel().catch(() => undefined);
  }
}
