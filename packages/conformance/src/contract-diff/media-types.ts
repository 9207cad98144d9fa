import { isDeepStrictEqual } from "node:util";
import type { Direction } from "./changes.ts";
import type { DiffContext } from "./diff-context.ts";
import { nodeOf, type ContractDocument, type Node } from "./document.ts";

/** Where a body stands, and which way it goes. */
export interface MediaPlace {
  /** Direction of the body. */
  readonly direction: Direction;
  /** Where it stands, from the outside inwards. */
  readonly where: readonly string[];
}

/**
 * Compares the media types of a body, the schema of each, and of a stream the schema of its items.
 */
export function diffMedia(before: unknown, after: unknown, context: DiffContext, place: MediaPlace): void {
  const { list } = context;
  const was = mediaTypes(before);
  const is = mediaTypes(after);
  for (const type of new Set([...was.keys(), ...is.keys()])) {
    const where = [...place.where, type];
    const [old, now] = [was.get(type), is.get(type)].map((media, index) =>
      media === undefined ? undefined : nodeOf((index === 0 ? context.old : context.now).resolve(media)),
    );
    if (!now) list.add("breaking", where, "the media type was removed");
    else if (!old) list.add("additive", where, "a media type was added");
    else diffMediaType(type, old, now, context, { ...place, where });
  }
}

/** Returns the media types by name, in lower case and without blanks. */
function mediaTypes(content: unknown): Map<string, unknown> {
  return new Map(
    Object.entries(nodeOf(content)).map(([type, media]) => [type.toLowerCase().replaceAll(" ", ""), media]),
  );
}

function diffMediaType(type: string, old: Node, now: Node, context: DiffContext, place: MediaPlace): void {
  const { list } = context;
  context.schemas(bodyOf(type, old, context.old), bodyOf(type, now, context.now), context, place);
  const [before, after] = [itemsOf(type, old, context.old), itemsOf(type, now, context.now)];
  const where = [...place.where, "events"];
  if (before !== undefined && after === undefined) list.add("breaking", where, "the events are no longer described");
  else if (before === undefined && after !== undefined) list.add("additive", where, "the events are described now");
  else if (before !== undefined) context.schemas(before, after, context, { ...place, where, events: true });
  for (const name of ["example", "examples"]) {
    if (!isDeepStrictEqual(old[name], now[name])) list.add("documentation", place.where, `${name} changed`);
  }
  for (const name of ["encoding", "prefixEncoding", "itemEncoding"]) {
    if (!isDeepStrictEqual(old[name], now[name])) list.add("breaking", place.where, `${name} changed`);
  }
}

/** Returns the schema of the whole body. A stream is text, even where its `schema` describes one event. */
function bodyOf(type: string, media: Node, document: ContractDocument): unknown {
  return describesAnEvent(type, media, document) ? { type: "string" } : (media["schema"] ?? {});
}

/** Returns the schema of the items of a stream. OpenAPI 3.1 has no keyword for it: there `schema` describes one event, or an extension does. */
function itemsOf(type: string, media: Node, document: ContractDocument): unknown {
  if (describesAnEvent(type, media, document)) return media["schema"];
  if (media["itemSchema"] !== undefined || type !== "text/event-stream" || !isOlder(document))
    return media["itemSchema"];
  const schemas = nodeOf(nodeOf(document.root["components"])["schemas"]);
  return Object.hasOwn(schemas, "AutomationEvent") ? { $ref: "#/components/schemas/AutomationEvent" } : undefined;
}

function describesAnEvent(type: string, media: Node, document: ContractDocument): boolean {
  if (type !== "text/event-stream" || media["itemSchema"] !== undefined || !isOlder(document)) return false;
  const schema = nodeOf(document.resolve(media["schema"]));
  return ["type", "oneOf", "anyOf", "allOf"].some((key) => schema[key] !== undefined) && schema["type"] !== "string";
}

function isOlder({ root }: ContractDocument): boolean {
  return String(root["openapi"]).startsWith("3.1.");
}
