import { isThing, type Declared, type Thing } from "./things.ts";

/** The values of a property that is a list: the parts of its only one, when the page shows that as a list or as lines. */
export function splitListValues(values: readonly Declared[]): readonly Declared[] {
  const [only, ...others] = values;
  if (!only || others.length > 0 || isThing(only)) return values;
  return only.parts ?? values;
}

/**
 * The members of a list. Keywords are often one text with commas, a list of items may be given as the thing that holds
 * them, and the steps of an instruction may be grouped in sections.
 *
 * @param asSections - True to return sections instead of their content.
 */
export function unfoldMembers(values: readonly Declared[], key: string, asSections: boolean): readonly Declared[] {
  const [first] = values;
  if (!first) return values;
  if (values.some(isSection))
    return asSections ? values : values.flatMap((each) => (isSection(each) ? listMembers(each) : each));
  if (values.length > 1) return values;
  if (isThing(first)) return listMembers(first);
  const { value } = first;
  if (typeof value !== "string" || !["keyword", "tag", "topic", "category"].includes(key)) return values;
  return value
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => ({ value: part }));
}

function isSection(declared: Declared): declared is Thing {
  return isThing(declared) && declared.types.includes("HowToSection");
}

function listMembers(thing: Thing): readonly Declared[] {
  return thing.fields.get("item list element") ?? [thing];
}
