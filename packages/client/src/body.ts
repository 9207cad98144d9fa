/** The body as text; `undefined` when it is larger than the bound. */
export async function textOf({ body }: Response, maxBytes: number): Promise<string | undefined> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => undefined); // only frees the connection
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** JSON as parsed, or else the text. */
export function parsed(text: string | undefined): unknown {
  try {
    return text && JSON.parse(text);
  } catch {
    return text; // the error would quote the body
  }
}
