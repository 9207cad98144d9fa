/**
 * Every way in which the tests cut bytes: whole, one byte at a time, and in two at every place.
 *
 * @param mostPlaces - Where there are more of them, only so many are cut at, evenly spread.
 */
export function listCuts(
  bytes: Uint8Array,
  mostPlaces = Infinity,
): { readonly name: string; readonly chunks: Uint8Array[] }[] {
  const inTwo = Array.from({ length: Math.max(0, bytes.length - 1) }, (_, before) => ({
    name: `cut after byte ${before + 1}`,
    chunks: [bytes.subarray(0, before + 1), bytes.subarray(before + 1)],
  }));
  const every = Math.ceil(inTwo.length / mostPlaces) || 1;
  return [
    { name: "whole", chunks: [bytes] },
    { name: "one byte per chunk", chunks: Array.from(bytes, (byte) => Uint8Array.of(byte)) },
    ...inTwo.filter((_, place) => place % every === 0),
  ];
}

/** UTF-8 bytes of a text. */
export function getBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
