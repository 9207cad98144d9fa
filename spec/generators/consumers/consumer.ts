/** Where a generated client is told to send its calls, and the key that it gets. */
export interface Addresses {
  readonly sessions: string;
  readonly automation: string;
  readonly key: string;
}

/** What a program does with a generated client. Each call takes a wire field out of its typed result. */
export interface Consumer {
  /** Scrapes with `only_main_content` alone, and gives back the Markdown. */
  scrape(session: string): Promise<string>;
  /** Gives back `httpOnly` of each cookie. */
  cookies(session: string): Promise<readonly (boolean | undefined)[]>;
  /** Gives back `video_duration_ms`. */
  replay(session: string): Promise<number>;
  /** Runs a task in the recommended way, and gives back the types of its events and the cost that the last one tells. */
  start(query: string, signal: AbortSignal): Promise<Run>;
  /** The same operations in the way that comes to mind first, where that way is not the recommended one. */
  readonly plainly?: {
    readonly scrape?: (session: string) => Promise<unknown>;
    readonly start?: (query: string, signal: AbortSignal) => Promise<unknown>;
  };
}

/** How a run went. */
export interface Run {
  readonly types: readonly string[];
  readonly cost: number | undefined;
}

/** The JSON of each `data:` line of a stream that was read as one text. */
export function listDataLines(stream: string): string[] {
  return stream
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => line.slice("data: ".length));
}
