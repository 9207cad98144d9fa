/** Words that change the meaning of a name. */
const turning = new Set(
  "all another cancel clear close delete different disable dont no not off other out never remove stop undo without".split(
    " ",
  ),
);

/**
 * Compares two names of a control. Returns 1 if they differ only in case, white space, accents and punctuation, 0 if they have nothing in
 * common. Names are similar if one contains the other ("Search", "Search now"), or if they share most words.
 */
export function compareNames(one: string, other: string): number {
  const [a, b] = [listWords(one), listWords(other)];
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  if (a.join("") === b.join("")) return 1;
  const left = [...b];
  const common = a.filter((word) => {
    const index = left.findIndex((candidate) => isSameWord(word, candidate));
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  });
  const onlyInA = subtractWords(a, common);
  if ([...onlyInA, ...left].some((word) => turning.has(word) || /^\d+$/.test(word))) return 0;
  const share = (2 * common.length) / (a.length + b.length);
  const isMost = 2 * common.length >= Math.max(a.length, b.length);
  const isPart = isMost && common.length === Math.min(a.length, b.length) && common.some((word) => word.length > 2);
  return isPart ? 0.5 + share / 2 : share;
}

function subtractWords(words: readonly string[], common: readonly string[]): string[] {
  const left = [...common];
  return words.filter((word) => {
    const index = left.indexOf(word);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

/** Splits a name into words without case, accents and punctuation, and without a count in brackets at its end. */
function listWords(name: string): string[] {
  const plain = name
    .replace(/\s*[([]\d+[)\]]\s*$/, "")
    .normalize("NFKD")
    .replaceAll(/\p{M}|['’]/gu, "")
    .toLowerCase();
  return (
    plain.match(/[\p{L}\p{N}]+/gu)?.map((word) => word.replace(/(?<=\p{L}{3})ies$/u, "y")) ??
    (plain.trim() === "" ? [] : [plain.trim()])
  );
}

/** Returns whether two words are equal, inflected, or one typo apart. */
function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  if (Math.min(one.length, other.length) < 4 || /\d/.test(one + other)) return false;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.startsWith(short) ? long.length - short.length <= 3 : short.length > 5 && isOneEditApart(short, long);
}

function isOneEditApart(short: string, long: string): boolean {
  if (long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  const shift = long.length === short.length ? 1 : 0;
  return short.slice(start + shift) === long.slice(start + 1);
}
