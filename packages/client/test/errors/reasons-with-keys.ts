// oxlint-disable unicorn/consistent-function-scoping -- what a reason is about is in it
import { inspect } from "node:util";

/** The key of the client, which no log may show. */
export const key = "sk-canary-key-0123456789";
const bytes = new TextEncoder().encode(key);

/** All that a log can show of a value. */
export function showAll(value: unknown): string {
  const texts = [
    () => inspect(value, { depth: 12, showHidden: true, getters: true }),
    () => String(value),
    () => JSON.stringify(value),
    () => String(Object(value).stack),
  ];
  return texts.map((text) => {
    try {
      return text();
    } catch {
      return ""; // a log fails, too
    }
  }).join("\n"); // prettier-ignore
}
/** Returns whether a log of an error, or of its cause, would show the key. */
export function leaks(error: unknown): boolean {
  const { cause } = Object(error);
  const text = [error, cause].map(showAll).join("\n");
  return [key, Buffer.from(key).toString("hex").replace(/..\B/g, "$& "), bytes.join(",")].some((form) => text.includes(form)); // prettier-ignore
}

class Told extends Error {
  override toString(): string {
    return `told ${key}`;
  }
}
class Serialized extends Error {
  toJSON(): object {
    return { key };
  }
}
class Inspected extends Error {
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return key;
  }
}
class Had extends Error {
  get key(): string {
    return key;
  }
}
const createError = (fields: object): Error => Object.assign(new Error("x"), fields);
const form = new FormData();
form.set("key", key);

/** Where a reason of a caller's may hold the key. */
export const reasons: { name: string; reason: unknown }[] = [
  { name: "a property that is named by a symbol", reason: createError({ [Symbol("key")]: key }) },
  { name: "the name of a symbol", reason: createError({ [Symbol(key)]: 1 }) },
  { name: "a property of an object by a symbol", reason: { inner: { [Symbol("key")]: key } } },
  { name: "a map", reason: createError({ map: new Map([["key", { key }]]) }) },
  { name: "a key of a map", reason: new Map([[key, 1]]) },
  { name: "a set", reason: createError({ set: new Set([key]) }) },
  { name: "headers", reason: createError({ headers: new Headers({ authorization: `Bearer ${key}` }) }) },
  { name: "a request", reason: createError({ request: new Request("http://a.example", { headers: { key } }) }) },
  { name: "a response", reason: createError({ response: new Response("", { headers: { key } }) }) },
  { name: "a URL", reason: createError({ url: new URL(`http://a.example/?key=${key}`) }) },
  { name: "a query", reason: new URLSearchParams({ key }) },
  { name: "a form", reason: form },
  { name: "bytes", reason: createError({ body: Buffer.from(key) }) },
  { name: "a buffer", reason: createError({ body: bytes.buffer }) },
  { name: "a promise", reason: createError({ key: Promise.resolve(key) }) },
  { name: "a regular expression", reason: createError({ pattern: new RegExp(key) }) },
  { name: "a boxed string", reason: createError({ text: Object(key) }) },
  { name: "what a prototype has", reason: Object.create({ key }) },
  { name: "a getter", reason: Object.defineProperty(new Error("x"), "key", { get: () => key, enumerable: true }) },
  { name: "a getter that throws", reason: Object.defineProperty(new Error("x"), "key", { get: () => { throw new Error(key); } }) },
  { name: "a getter of its class", reason: new Had("x") },
  { name: "toString", reason: new Told("x") },
  { name: "toJSON", reason: new Serialized("x") },
  { name: "its inspection", reason: new Inspected("x") },
  { name: "a member of an AggregateError", reason: new AggregateError([createError({ inner: [[[key]]] })]) },
  { name: "the cause of a DOMException", reason: Object.assign(new DOMException("x", "AbortError"), { cause: { key } }) },
  { name: "a proxy", reason: new Proxy(new Error("x"), { get: (target, name) => name === "message" ? key : Reflect.get(target, name) }) },
]; // prettier-ignore

/** Reasons that hold no secret. */
export const harmless: { name: string; reason: unknown }[] = [
  { name: "the default", reason: AbortSignal.abort().reason },
  { name: "an Error with a cause", reason: new Error("mine", { cause: { at: 1 } }) },
  { name: "an Error of a class of its own", reason: new (class Stopped extends Error { readonly by = ["user"]; })("x") },
  { name: "an object", reason: { by: "user", at: 5 } },
  { name: "a string", reason: "stop" },
]; // prettier-ignore
