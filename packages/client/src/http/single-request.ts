/**
 * Middleware: the same request in a form that `fetch` itself does not send twice.
 *
 * Node.js repeats a request that was answered with 421 Misdirected Request, as the Fetch Standard says, unless its body is a
 * stream. Other runtimes do not, and some of them can't send streams: there it stays as it is.
 */
export async function singleRequest({ request }: { readonly request: Request }): Promise<Request | undefined> {
  const { undici, bun, deno } = globalThis.process?.versions ?? {};
  if (!undici || bun || deno || !request.body) return undefined;
  const bytes = await request.arrayBuffer();
  const headers = new Headers(request.headers);
  headers.set("content-length", `${bytes.byteLength}`); // not every server reads chunks
  const init = { headers, body: new Blob([bytes]).stream(), duplex: "half" };
  return new Request(request, init);
}
