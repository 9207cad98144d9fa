type Given<Values> = { readonly [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** Omits values that are undefined. */
export function pickDefined<Values extends object>(values: Values): Given<Values> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is undefined has been left out
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<Values>;
}

/** Multiplies a value that is there. */
export function multiply(value: number | undefined, factor: number): number | undefined {
  return value === undefined ? undefined : value * factor;
}
