/** Returns one value of each kind that JavaScript has, with its name; of arrays the one that is given. */
export function listValuesOfEachKind(
  array: readonly unknown[],
): readonly { readonly kind: string; readonly value: unknown }[] {
  return [
    { kind: "null", value: null },
    { kind: "boolean", value: true },
    { kind: "number", value: -1 },
    { kind: "NaN", value: NaN },
    { kind: "string", value: "s" },
    { kind: "symbol", value: Symbol("s") },
    { kind: "bigint", value: -1n },
    { kind: "object", value: {} },
    { kind: "array", value: array },
    { kind: "function", value: () => 1 },
  ];
}
