/** An event of a run, with its id, as it was sent. */
export interface SentEvent {
  readonly id: string;
  readonly event: { readonly type: string; readonly [name: string]: unknown };
}

/** Reads the events of an answer one by one; ends with it, and throws when the connection breaks off. */
export async function* sentEvents(response: Response): AsyncGenerator<SentEvent> {
  if (response.status !== 200 || !response.body) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
  let rest = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, id, data] = /^id: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (id !== undefined && data !== undefined) yield { id, event: JSON.parse(data) };
    }
  }
}

/** Reads them all. */
export async function allEvents(response: Response): Promise<readonly SentEvent[]> {
  const events: SentEvent[] = [];
  for await (const event of sentEvents(response)) events.push(event);
  return events;
}
