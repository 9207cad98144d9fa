/** First line of every recording. */
const header = '{"format":"cloud-browser-stream-recording","version":1}';
/** A recording of these lines. */
export const joinLines = (...lines: string[]): string => [header, ...lines, ""].join("\n");

/** All chunks, and the error that came after them. */
export async function drain(source: AsyncIterable<Uint8Array>): Promise<{ chunks: Uint8Array[]; error?: unknown }> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of source) chunks.push(chunk);
  } catch (error) {
    return { chunks, error };
  }
  return { chunks };
}
