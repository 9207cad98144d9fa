import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** As much of our package as the benchmark needs. An older version may lack what is optional. */
export interface Implementation {
  /** What the tables call it. */
  readonly name: string;
  /** The synchronous core. */
  readonly createAutomationDecoder: (options: { readonly onEvent: (event: object) => void }) => Decoder;
  /** The reader. */
  readonly readAutomationStream?: (source: ReadableStream<Uint8Array>) => EventStream;
  /** The empty snapshot. */
  readonly createSnapshot?: () => Snapshot;
  /** The snapshot after one more event. */
  readonly reduceSnapshot?: (snapshot: Snapshot, event: object) => Snapshot;
}

/** What takes chunks. */
export interface Decoder {
  /** Takes the next bytes. */
  feed(chunk: Uint8Array): void;
  /** Says that nothing follows. */
  end(): void;
}

/** What is iterated. */
export interface EventStream extends AsyncIterable<object> {
  /** The events of one chunk at a time. */
  batches?(): AsyncIterable<readonly object[]>;
  /** Lets go of the source. */
  cancel?(): Promise<void>;
}

/** The part of a snapshot that the benchmark compares. */
export interface Snapshot {
  /** All text deltas, joined. */
  readonly text: string;
  /** All thinking deltas, joined. */
  readonly thinking: string;
}

/**
 * Loads the sources of this package, and then every other module of `paths`.
 *
 * @throws {Error} when a module has no `createAutomationDecoder`.
 */
export async function loadImplementations(paths: readonly string[]): Promise<readonly Implementation[]> {
  const ours = await load("ours", new URL("../src/index.ts", import.meta.url));
  // Samples are kept by name: two paths may end alike.
  const others = paths.map((path, index) => load(`ours ${index + 2}: ${shorten(path)}`, pathToFileURL(resolve(path))));
  return [ours, ...(await Promise.all(others))];
}

async function load(name: string, url: URL): Promise<Implementation> {
  const module: unknown = await import(url.href);
  if (!isImplementation(module)) throw new Error(`${url.pathname} does not export createAutomationDecoder`);
  return { ...module, name };
}

function isImplementation(module: unknown): module is Implementation {
  if (typeof module !== "object" || module === null) return false;
  return "createAutomationDecoder" in module && typeof module.createAutomationDecoder === "function";
}

function shorten(path: string): string {
  return path.length > 24 ? `...${path.slice(-21)}` : path;
}
