import { isThing, type Declared, type Thing } from "./things.ts";

/** Everything that a thing declares at a path of keys, such as `offer.price`. */
export function declaredAt(thing: Thing, path: string): readonly Declared[] {
  let at: readonly Declared[] = [thing];
  for (const key of path.split(".")) {
    at = at.flatMap((each) => (isThing(each) ? (each.fields.get(key) ?? []) : [])).slice(0, 2_000);
  }
  return at;
}
