import { readNode, type ContractDocument, type Node } from "./document.ts";

/** Description of a body by its media type. */
export interface BodyDescription {
  /** Schema of the whole body. */
  readonly body: unknown;
  /** Schema of an item of a stream without that of its JSON; `impliedItem` where only the JSON is described; undefined where nothing is. */
  readonly item: unknown;
  /** Schema of the events of a stream, which are the JSON in its items; undefined when it describes none. */
  readonly event: unknown;
}

/**
 * Returns the description of a body by its media type, and of a stream also that of its events.
 *
 * OpenAPI 3.2 describes a parsed event with its field `data`, and the JSON in it by `contentSchema`. An `itemSchema` without that field is
 * read as the schema of the JSON itself. OpenAPI 3.1 has no keyword for it: there `schema` describes one event, or an extension does.
 */
export function describedBody(type: string, media: Node, document: ContractDocument): BodyDescription {
  const { schema, itemSchema } = media;
  if (type !== "text/event-stream") return { body: schema ?? {}, item: undefined, event: itemSchema };
  if (itemSchema !== undefined) return { body: schema ?? text, ...describedItem(itemSchema, document) };
  if (!document.isOpenApi31()) return { body: schema ?? text, item: undefined, event: undefined };
  if (isEvent(schema, document)) return { body: text, item: impliedItem, event: schema };
  const schemas = readNode(readNode(document.root["components"])["schemas"]);
  const event = Object.hasOwn(schemas, "AutomationEvent")
    ? { $ref: "#/components/schemas/AutomationEvent" }
    : undefined;
  return { body: schema ?? text, item: event && impliedItem, event };
}

/** Schema of a stream: it is text, whatever its items are. */
const text = { type: "string" };

/** Schema of an item of which a document describes only the JSON in it. */
export const impliedItem: Node = {
  type: "object",
  required: ["data"],
  properties: { data: { type: "string", contentMediaType: "application/json" } },
};

function describedItem(itemSchema: unknown, document: ContractDocument): Pick<BodyDescription, "item" | "event"> {
  const item = readNode(document.resolve(itemSchema));
  const properties = readNode(item["properties"]);
  if (!Object.hasOwn(properties, "data")) return { item: impliedItem, event: itemSchema };
  const { contentSchema, ...data } = readNode(document.resolve(properties["data"]));
  return { item: { ...item, properties: { ...properties, data } }, event: contentSchema };
}

function isEvent(schema: unknown, document: ContractDocument): boolean {
  const node = readNode(document.resolve(schema));
  return ["type", "oneOf", "anyOf", "allOf"].some((key) => node[key] !== undefined) && node["type"] !== "string";
}
