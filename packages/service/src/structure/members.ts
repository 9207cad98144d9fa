import { isThing, type Declared } from "./things.ts";

/** The values of a property that is a list: the parts of its only one, when the page shows that as a list or as lines. Source: ours. */
export function partsOf(values: readonly Declared[]): readonly Declared[] {
  const [only, ...others] = values;
  if (!only || others.length > 0 || isThing(only)) return values;
  return only.parts ?? values;
}

/** Keywords are often one text with commas, and a list of items may be given as the thing that holds them. Source: ours. */
export function unfolded(values: readonly Declared[], key: string): readonly Declared[] {
  const [first] = values;
  if (!first || values.length > 1) return values;
  if (isThing(first)) return first.fields.get("item list element") ?? values;
  const { value } = first;
  if (typeof value !== "string" || !["keyword", "tag", "topic", "category"].includes(key)) return values;
  return value
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => ({ value: part }));
}
