import type { Json } from "../in-page/declared/declared-data.ts";

/**
 * Replaces placeholders in data by their addresses. A text that is a placeholder becomes the address;
 * placeholders within a text are replaced where they are separate words.
 *
 * @param placeholders - Placeholder to absolute address.
 */
export function withAddresses(data: Json, placeholders: ReadonlyMap<string, string>): Json {
  if (placeholders.size === 0) return data;
  return JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    typeof value === "string" ? inText(value, placeholders) : value,
  );
}

function inText(text: string, placeholders: ReadonlyMap<string, string>): string {
  return (
    placeholders.get(text.trim()) ??
    text.replace(/[\p{L}\p{N}_.-]+/gu, (word) => placeholders.get(word) ?? addressOfSentenceEnd(word, placeholders))
  );
}

/** A placeholder before a full stop. */
function addressOfSentenceEnd(word: string, placeholders: ReadonlyMap<string, string>): string {
  const bare = word.replace(/[.-]+$/, "");
  const address = bare === word ? undefined : placeholders.get(bare);
  return address === undefined ? word : address + word.slice(bare.length);
}

/** Returns the placeholders that the data names and that do not exist. */
export function inventedPlaceholders(data: Json, placeholders: ReadonlyMap<string, string>): readonly string[] {
  const forms = new Set([...placeholders.keys()].map(describeForm));
  return textsIn(data).filter((text) => text.length < 100 && forms.has(describeForm(text)) && !placeholders.has(text));
}

/** Addresses in data that are in none of the texts that they may come from. */
export function inventedAddresses(data: Json, texts: readonly string[]): readonly string[] {
  return textsIn(data).filter(
    (text) => /^https?:\/\/\S+$/i.test(text) && !texts.some((source) => source.includes(text)),
  );
}

function describeForm(placeholder: string): string {
  return placeholder.replace(/\d+/g, "0");
}

function textsIn(data: Json): readonly string[] {
  const texts: string[] = [];
  JSON.stringify(data, (_, value: unknown) => {
    if (typeof value === "string") texts.push(value);
    return value;
  });
  return texts;
}
