/** Ways to change the response of an exchange so that it breaks one sentence of the interface. */
import { bodyText, type RawResponse } from "../../src/http/exchange.ts";

/** A changed exchange. */
export interface Fault {
  readonly probe: string;
  readonly change: (response: RawResponse) => RawResponse;
}

/** A fault as a row: the check that must see it, the exchange, and the change. */
export type FaultRow = readonly [check: string, probe: string, change: Fault["change"]];

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export function bytes(response: RawResponse, body: Uint8Array): RawResponse {
  return { ...response, chunks: [{ atMs: response.chunks.at(-1)?.atMs ?? 1, bytes: body }] };
}

export function text(change: (body: string) => string): Fault["change"] {
  return (response) => bytes(response, Buffer.from(change(bodyText(response))));
}

export const status =
  (code: number): Fault["change"] =>
  (response) => ({ ...response, status: code });

export const contentType =
  (value: string): Fault["change"] =>
  (response) => ({ ...response, headers: [["Content-Type", value]] });

export const end =
  (value: RawResponse["end"]): Fault["change"] =>
  (response) => ({ ...response, end: value });

/** Sets what stands at a path, or removes it when no value is given. */
export function at(path: string, value?: Json): Fault["change"] {
  return text((body) => {
    const root: Json = JSON.parse(body);
    edit(root, path.split("/"), value);
    return JSON.stringify(root);
  });
}

function edit(node: Json | undefined, path: readonly string[], value: Json | undefined): void {
  const [step = "", ...rest] = path;
  if (typeof node !== "object" || node === null) throw new Error(`nothing stands at ${path.join("/")}`);
  if (rest.length > 0) return edit(Array.isArray(node) ? node[Number(step)] : node[step], rest, value);
  if (value === undefined) Reflect.deleteProperty(node, step);
  else Reflect.set(node, step, value);
}

/** Changes the first event of a type. */
export function event(type: string, path: string, value?: Json): Fault["change"] {
  return text((body) => {
    const line = body.split("\n").find((one) => one.includes(`"type":"${type}"`));
    if (line === undefined) throw new Error(`no event of the type ${type}`);
    const object: Json = JSON.parse(line.slice("data: ".length));
    edit(object, path.split("/"), value);
    return body.replace(line, () => `data: ${JSON.stringify(object)}`);
  });
}

/** Puts a line before the terminal event. */
export const before = (line: string): Fault["change"] =>
  text((body) => body.replace(/data: \{"type":"done"/, `${line}\n\n$&`));

/** Puts a line at the end of the stream. */
export const after = (line: string): Fault["change"] => text((body) => `${body}${line}\n\n`);

export const refusal =
  (field: string): Fault["change"] =>
  (response) =>
    bytes(
      { ...response, status: 422 },
      Buffer.from(JSON.stringify({ detail: [{ loc: ["body", field], msg: "required", type: "missing" }] })),
    );
