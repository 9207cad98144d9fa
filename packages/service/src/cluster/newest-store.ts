/**
 * Returns a store that passes each call to the store of the newest lease, as that is at the moment of the call.
 *
 * @param newest - Returns that store, or throws while there is none; calls throw the same.
 */
export function followNewest<Store extends object>(newest: () => Store): Store {
  const call = (name: string, values: unknown[]): unknown => {
    const store = newest();
    const method: unknown = Reflect.get(store, name);
    if (typeof method !== "function") throw new TypeError(`the store has no method ${name}`);
    return Reflect.apply(method, store, values);
  };
  const handler: ProxyHandler<object> = {
    // No store is a promise: what awaits one gets it.
    get: (_, name) =>
      typeof name === "symbol" || name === "then" ? undefined : (...values: unknown[]) => call(name, values),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has what a store has: methods, by their names
  return new Proxy({}, handler) as Store;
}
