import type { FetchInit, ForeignResponse } from "../options/custom-fetch.ts";

/** Optional parts of a response. */
interface Foreign extends ForeignResponse {
  readonly statusText?: string;
  readonly body?: ReadableStream | AsyncIterable<Uint8Array<ArrayBuffer>> | null;
  readonly redirected?: boolean;
  readonly type?: string;
}

/**
 * Converts a response of another package, whose body may be a stream of Node.js or only available as a whole, to one of the runtime.
 * Anything else, such as the plain object of a mock, is returned as it is.
 */
export async function responseFrom(response: unknown): Promise<Response>;
export async function responseFrom(answer: unknown): Promise<unknown> {
  if (!isForeign(answer)) return answer;
  const { status, statusText = "", redirected = false, type = "default" } = answer;
  const init = { status, statusText, headers: [...answer.headers] };
  const response = new Response(await readContent(answer), init);
  // What shows that a redirect was followed, or would have been.
  for (const [name, value] of Object.entries({ redirected, type })) Object.defineProperty(response, name, { value });
  return response;
}

/** Creates a body that can be sent once: in Node.js a stream, which every `fetch` there can send. */
export async function singleBody(body: string | Uint8Array<ArrayBuffer>): Promise<Pick<FetchInit, "body" | "duplex">>;
export async function singleBody(body: string | Uint8Array<ArrayBuffer>): Promise<object> {
  const { undici, bun, deno } = globalThis.process?.versions ?? {};
  if (!undici || bun || deno) return { body };
  const name = "node:stream"; // not a literal, so that bundlers for other runtimes do not resolve it
  const { Readable }: typeof import("node:stream") =
    globalThis.process.getBuiltinModule?.(name) ?? (await import(/* @vite-ignore */ /* webpackIgnore: true */ name));
  return { body: Readable.from([typeof body === "string" ? new TextEncoder().encode(body) : body]), duplex: "half" };
}

function isForeign(answer: unknown): answer is Foreign {
  const { status, headers, arrayBuffer } = Object(answer);
  return (
    status >= 200 &&
    status < 600 &&
    typeof headers?.[Symbol.iterator] === "function" &&
    typeof arrayBuffer === "function"
  );
}

/** Returns the body, as the runtime takes it. Statuses that have none must not get one. */
async function readContent(answer: Foreign): Promise<BodyInit | null> {
  const { body, status } = answer;
  if (status === 204 || status === 205 || status === 304 || body === null) return null;
  if (body === undefined) return new Uint8Array(new Uint8Array(await answer.arrayBuffer()));
  return body instanceof ReadableStream ? body : openStream(body);
}

function openStream(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
