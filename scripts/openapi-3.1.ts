/** The contract for generators of clients: OpenAPI 3.1, and plainer where most of them would read it wrongly. */

import { closeUnions, findEventSchema } from "./event-union.ts";
import { isObject, mapObjects, type Json, type JsonObject } from "./json.ts";

/**
 * Converts a document of OpenAPI 3.2 to 3.1.
 *
 * - 3.1 has no `itemSchema`: the `schema` of a stream is that of one event, as is usual, and its examples are events.
 * - A discriminator of 3.1 has no `defaultMapping`: the events are those that are listed.
 * - Server variables are replaced by their defaults, and the servers of a path are repeated in its operations.
 * - A header is a string and nothing else: `null` can't be sent in one.
 * - A constant is a list of one value, too: some generators do not know `const`.
 */
export function downgrade(contract: Json): Json {
  const changes = [describeEvents, fillInAddress, forbidNull, listConstant, repeatServers];
  const document = mapObjects(closeUnions(contract), (node) =>
    changes.reduce((changed, change) => change(changed), node),
  );
  return isObject(document) ? { ...document, openapi: "3.1.1" } : document;
}

/** A stream of events: an example for each type of event instead of whole streams. */
function describeEvents(media: JsonObject): JsonObject {
  const { itemSchema: _, examples = {}, ...others } = media;
  const schema = findEventSchema(media);
  if (schema === undefined) return media;
  const byType: JsonObject = {};
  for (const event of Object.values(examples ?? {}).flatMap(listEvents)) byType[event.type] ??= { value: event };
  return { ...others, schema, examples: byType };
}

function listEvents(example: Json): (JsonObject & { type: string })[] {
  const stream = isObject(example) ? example["serializedValue"] : undefined;
  if (typeof stream !== "string") return [];
  const lines = stream.split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line): JsonObject & { type: string } => JSON.parse(line.slice("data: ".length)));
}

/** A server: its address without variables. */
function fillInAddress(server: JsonObject): JsonObject {
  const { url, variables, ...others } = server;
  if (typeof url !== "string" || !isObject(variables)) return server;
  const address = url.replace(/\{(\w+)\}/g, (variable, name: string) => {
    const described = variables[name];
    const value = isObject(described) ? described["default"] : undefined;
    return typeof value === "string" ? value : variable;
  });
  return { url: address, ...others };
}

/** A header parameter: no `null` among its types. */
function forbidNull(parameter: JsonObject): JsonObject {
  const { in: place, schema } = parameter;
  if (place !== "header" || !isObject(schema) || !Array.isArray(schema["type"])) return parameter;
  const types = schema["type"].filter((type) => type !== "null");
  return { ...parameter, schema: { ...schema, type: types.length === 1 ? (types[0] ?? null) : types } };
}

/** A schema with a constant: it has `enum` beside. */
function listConstant(schema: JsonObject): JsonObject {
  const { const: constant } = schema;
  return constant === undefined || isObject(constant) ? schema : { ...schema, enum: [constant] };
}

/** A path with servers: each of its operations has them. Some generators look only there, others only at the path. */
function repeatServers(path: JsonObject): JsonObject {
  const { servers, ...others } = path;
  if (!Array.isArray(servers) || others["openapi"] !== undefined) return path;
  const methods = Object.entries(others).map(([name, operation]): [string, Json] => [
    name,
    isObject(operation) && operation["responses"] !== undefined ? { ...operation, servers } : operation,
  ]);
  return { servers, ...Object.fromEntries(methods) };
}
