import { jsonAnswer, type Exchange } from "../../http/exchange.ts";
import { namedSchema, resolveSchema, type Schema } from "../../contract/contract.ts";
import { isObject } from "../../http/json.ts";
import { jsonOperations, makeAnswersCheck } from "./asked-operations.ts";
import { notAbout, type Check, type Judgement } from "../check.ts";

/** Schema of the answer of each operation, by the first part of the ids of its checks. */
const schemas: Readonly<Record<string, string>> = {
  scrape: "DataSpace",
  cookies: "CookiesResponse",
  replay: "ReplayResponse",
};

/** Returns pointers to the fields of a value that no schema lists. Parts that a schema leaves open, such as extracted data, have none. */
function findUnlisted(value: unknown, schema: Schema, pointer: string): string[] {
  const choices = [schema, ...(schema.anyOf ?? [])].map(resolveSchema);
  if (Array.isArray(value)) {
    const items = choices.flatMap((choice) => choice.items ?? [])[0];
    return items ? value.flatMap((one: unknown, at) => findUnlisted(one, items, `${pointer}/${at}`)) : [];
  }
  const properties = choices.map((choice) => choice.properties).find(Boolean);
  if (!isObject(value) || properties === undefined) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const schemaOfField = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return schemaOfField ? findUnlisted(inner, schemaOfField, `${pointer}/${name}`) : [`${pointer}/${name}`];
  });
}

function judge(exchange: Exchange, schema: string): Judgement {
  const body = jsonAnswer(exchange, 200);
  if ("reason" in body) return notAbout(body.reason);
  const findings = findUnlisted(body.value, namedSchema(schema), "").map((pointer) => ({
    where: `body ${pointer}`,
    expected: `no field beyond those of ${schema}`,
    received: "a field that is not listed",
  }));
  return { seen: 1, findings };
}

/** Checks that answers contain the fields that the interface lists, and no others. Source: interface § Resources and their fields. */
export const listedFieldChecks: readonly Check[] = jsonOperations.map((operation) =>
  makeAnswersCheck(operation, "fields-are-listed", (exchange) => judge(exchange, schemas[operation.word] ?? "")),
);
