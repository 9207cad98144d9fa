/** What a caller without types may pass. */
export interface OddValue {
  readonly kind: string;
  readonly value: unknown;
}

function fail(): never {
  throw new Error("a getter or trap of the caller's");
}
const traps = {
  get: fail,
  has: fail,
  ownKeys: fail,
  getPrototypeOf: fail,
  getOwnPropertyDescriptor: fail,
  apply: fail,
  construct: fail,
};
const revoked = Proxy.revocable({}, {});
revoked.revoke();

/** Values of every kind, and some that throw whatever is done with them. */
export const oddValues: readonly OddValue[] = [
  { kind: "null", value: null },
  { kind: "undefined", value: undefined },
  { kind: "a boolean", value: true },
  { kind: "a number", value: -1 },
  { kind: "NaN", value: NaN },
  { kind: "a string", value: "s" },
  { kind: "a symbol", value: Symbol("s") },
  { kind: "a bigint", value: -1n },
  { kind: "an object", value: {} },
  { kind: "an object without a prototype", value: Object.create(null) },
  { kind: "an array", value: [null] },
  { kind: "a function", value: () => 1 },
  { kind: "a date", value: new Date(NaN) },
  { kind: "a map", value: new Map([[1, 2]]) },
  { kind: "a promise", value: Promise.resolve() },
  { kind: "a proxy that throws", value: new Proxy({}, traps) },
  { kind: "a proxy of an array that throws", value: new Proxy([], traps) },
  { kind: "a proxy of a function that throws", value: new Proxy(() => 1, traps) },
  { kind: "a revoked proxy", value: revoked.proxy },
  { kind: "an array of a proxy that throws", value: [new Proxy({}, traps)] },
];

/** Options one of which has a getter that throws, or is a proxy that does. */
export function optionsThatThrow(names: readonly string[]): readonly OddValue[] {
  return names.flatMap((name) => [
    { kind: `${name} that throws`, value: Object.defineProperty({}, name, { get: fail, enumerable: true }) },
    { kind: `${name} that is a proxy that throws`, value: { [name]: new Proxy({}, traps) } },
    { kind: `${name} that is a proxy of an array that throws`, value: { [name]: new Proxy([], traps) } },
    { kind: `${name} that is a revoked proxy`, value: { [name]: revoked.proxy } },
  ]);
}
