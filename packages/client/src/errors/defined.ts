/** Returns a copy of an object without its fields that are `undefined`. */
export function omitUndefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
export function omitUndefined(fields: object): object {
  const copy = { ...fields };
  const values = Object.values(copy);
  return values.includes(undefined) // rare
    ? Object.fromEntries(Object.entries(copy).filter(([, value]) => value !== undefined))
    : copy;
}
