// oxlint-disable unicorn/consistent-function-scoping -- the function that runs in a page uses nothing from outside of itself

/** Storage of the origin of a page, as JSON has it. */
export interface CollectedOrigin {
  /** Its local storage. */
  readonly localStorage: { name: string; value: string }[];
  /** Its databases, as Playwright's storage state has them. */
  readonly indexedDB: unknown[];
  /** Parts that are missing, with the reason. */
  readonly leftOut: { database: string; store?: string; why: string; records?: number }[];
}

/**
 * Collects local storage and IndexedDB of the page that it runs in, as JSON of a {@link CollectedOrigin}. Runs in a page: it uses nothing
 * from outside of itself. A record with a value that the format does not have (`Blob`, `CryptoKey`) is left out rather than changed, and so
 * is a database that fails, is too large or takes too long, as a whole.
 *
 * @param limits - Largest database, in characters of JSON, and longest time for all of them, in milliseconds.
 */
export async function collectOrigin(limits: { readonly maxBytes: number; readonly maxMs: number }): Promise<string> {
  const { maxBytes, maxMs } = limits;
  const endMs = performance.now() + maxMs;
  /** Number of records that are read at a time: about a megabyte, estimated from those before. */
  const batch = { first: 16, most: 1_000, bytes: 1_000_000 };
  class Unsupported extends Error {}
  const views = {
    Int8Array: "i8",
    Uint8Array: "ui8",
    Uint8ClampedArray: "ui8c",
    Int16Array: "i16",
    Uint16Array: "ui16",
    Int32Array: "i32",
    Uint32Array: "ui32",
    Float32Array: "f32",
    Float64Array: "f64",
    BigInt64Array: "bi64",
    BigUint64Array: "bui64",
  };
  const getTag = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);
  const base64 = (bytes: Uint8Array): string => {
    let text = "";
    for (let at = 0; at < bytes.length; at += 0x80_00) text += String.fromCharCode(...bytes.subarray(at, at + 0x80_00));
    return btoa(text);
  };

  /** True for what JSON gives back as it was; each object may occur once. */
  const isPlain = (value: unknown, visited: Set<unknown>): boolean => {
    if (value === null || typeof value === "string" || typeof value === "boolean") return true;
    if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
    if (typeof value !== "object" || visited.has(value)) return false;
    visited.add(value);
    if (Array.isArray(value))
      return Object.keys(value).length === value.length && value.every((item) => isPlain(item, visited));
    const entries = getTag(value) === "Object" ? Object.entries(value) : undefined;
    return entries?.every(([name, item]) => name !== "__proto__" && isPlain(item, visited)) ?? false;
  };

  const encodeNumber = (value: number): unknown => {
    if (Number.isFinite(value) && !Object.is(value, -0)) return value;
    return { v: Object.is(value, -0) ? "-0" : String(value) };
  };

  const encodeObject = (value: object, visited: Map<object, number>): unknown => {
    if (value instanceof Date) return { d: Number.isNaN(value.getTime()) ? "Invalid Date" : value.toJSON() };
    if (value instanceof RegExp) return { r: { p: value.source, f: value.flags } };
    if (getTag(value) === "Error" && value instanceof Error)
      return { e: { n: value.name, m: value.message, s: value.stack ?? "" } };
    if (value instanceof ArrayBuffer) return { ab: { b: base64(new Uint8Array(value)) } };
    if (ArrayBuffer.isView(value)) {
      const kind = Object.entries(views).find(([name]) => name === getTag(value))?.[1];
      if (kind === undefined) throw new Unsupported(getTag(value));
      return { ta: { b: base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)), k: kind } };
    }
    const known = visited.get(value);
    if (known !== undefined) return { ref: known };
    const id = visited.size + 1;
    visited.set(value, id);
    if (Array.isArray(value)) return { a: Array.from(value, (item: unknown) => encode(item, visited)), id };
    if (value instanceof Map)
      return { m: Array.from(value, ([k, v]: unknown[]) => ({ k: encode(k, visited), v: encode(v, visited) })), id };
    if (value instanceof Set) return { s: Array.from(value, (item: unknown) => encode(item, visited)), id };
    if (getTag(value) !== "Object") throw new Unsupported(getTag(value));
    const entries = Object.entries(value);
    if (entries.some(([name]) => name === "__proto__")) throw new Unsupported("field __proto__");
    return { o: entries.map(([k, v]: [string, unknown]) => ({ k, v: encode(v, visited) })), id };
  };

  const encode = (value: unknown, visited: Map<object, number>): unknown => {
    if (value === null) return { v: "null" };
    if (value === undefined) return { v: "undefined" };
    if (typeof value === "number") return encodeNumber(value);
    if (typeof value === "bigint") return { bi: value.toString() };
    if (typeof value === "object") return encodeObject(value, visited);
    return value;
  };

  const field = (name: "key" | "value", value: unknown): Record<string, unknown> => {
    if (isPlain(value, new Set())) return { [name]: value };
    return { [`${name}Encoded`]: encode(value, new Map()) };
  };

  const readAnswer = <Result>(request: IDBRequest<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error ?? new Error("the request failed")));
    });

  const describePath = (path: string | string[] | null): object => {
    if (path === null) return {};
    return typeof path === "string" ? { keyPath: path } : { keyPathArray: [...path] };
  };

  const found: CollectedOrigin = { localStorage: [], indexedDB: [], leftOut: [] };
  // Its keys as an object lack those that are names of its methods.
  for (let index = 0; index < localStorage.length; index += 1) {
    const name = localStorage.key(index) ?? "";
    found.localStorage.push({ name, value: localStorage.getItem(name) ?? "" });
  }

  const makeSlowError = (): Error => new Error("too slow");

  const collectStore = async (database: string, store: IDBObjectStore, room: { left: number }): Promise<object> => {
    const records: Record<string, unknown>[] = [];
    const refused = new Map<string, number>();
    let range: IDBKeyRange | undefined;
    let count = batch.first;
    for (;;) {
      const [keys, values] = await Promise.all([
        readAnswer(store.getAllKeys(range, count)),
        readAnswer<unknown[]>(store.getAll(range, count)),
      ]);
      const before = room.left;
      for (const [index, key] of keys.entries()) {
        try {
          const record = { ...(store.keyPath === null ? field("key", key) : {}), ...field("value", values[index]) };
          room.left -= JSON.stringify(record).length;
          records.push(record);
        } catch (error) {
          const why = error instanceof Unsupported ? error.message : "value that is nested too deep";
          refused.set(why, (refused.get(why) ?? 0) + 1);
        }
        if (room.left < 0) throw new Error("too large");
      }
      if (performance.now() > endMs) throw makeSlowError();
      if (keys.length < count) break;
      range = IDBKeyRange.lowerBound(keys.at(-1), true);
      count = Math.max(1, Math.min(batch.most, Math.floor((batch.bytes * count) / (before - room.left + 1))));
    }
    for (const [type, times] of refused)
      found.leftOut.push({ database, store: store.name, why: `a ${type} can't be kept`, records: times });
    const indexes = Array.from(store.indexNames, (name) => {
      const { keyPath, multiEntry, unique } = store.index(name);
      return { name, ...describePath(keyPath), multiEntry, unique };
    });
    return { name: store.name, autoIncrement: store.autoIncrement, ...describePath(store.keyPath), records, indexes };
  };

  const collectDatabase = async (name: string): Promise<object> => {
    const opened = await readAnswer(indexedDB.open(name));
    try {
      const { version, objectStoreNames: names } = opened;
      const stores: object[] = [];
      const room = { left: maxBytes };
      // One transaction for all of them: they belong together. It ends when a turn passes without a request, so they are read one by one.
      const transaction = names.length > 0 ? opened.transaction(names, "readonly") : undefined;
      for (const store of names)
        if (transaction) stores.push(await collectStore(name, transaction.objectStore(store), room));
      return { name, version, stores };
    } finally {
      opened.close();
    }
  };

  for (const { name = "" } of await indexedDB.databases()) {
    // One whose version another page is changing may not be opened before that has gone.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(makeSlowError()), Math.max(0, endMs - performance.now()));
    });
    try {
      found.indexedDB.push(await Promise.race([collectDatabase(name), late]));
    } catch (error) {
      const exception = error instanceof Error || error instanceof DOMException ? error : undefined;
      const whys = new Map([
        ["too large", `it is larger than ${maxBytes} bytes`],
        ["too slow", "it could not be read in time"],
      ]);
      const why = whys.get(exception?.message ?? "") ?? `it can't be read (${exception?.name})`;
      const others = found.leftOut.filter(({ database }) => database !== name);
      found.leftOut.splice(0, Infinity, ...others, { database: name, why });
    } finally {
      clearTimeout(timer);
    }
  }
  return JSON.stringify(found);
}
