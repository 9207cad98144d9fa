/** Returns a copy of an object without its fields that are `undefined`. */
export function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
export function defined(fields: object): object {
  const entries = Object.entries(fields);
  return entries.every(([, value]) => value !== undefined) // as in most calls
    ? { ...fields }
    : Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
