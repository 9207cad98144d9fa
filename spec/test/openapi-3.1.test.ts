import { describe, expect, test } from "vitest";
import openapi from "../generated/openapi-3.1.json" with { type: "json" };
import contract from "../generated/openapi.json" with { type: "json" };
import { getPart, listProblems } from "./contract.ts";

const start = openapi.paths["/api/automation/start"];
const stream = start.post.responses["200"].content["text/event-stream"];
const examples = Object.entries(stream.examples);

/** The schema of an event by its type, in the contract. */
function getSchema(type: string): string {
  const pointers = openapi.components.schemas.AutomationEvent.oneOf.map(({ $ref }) => $ref.slice(1));
  return pointers.find((pointer) => getPart(`${pointer}/properties/type/const`) === type) ?? `no event ${type}`;
}

describe("the document for generators", () => {
  test("has addresses that can be called as they are", () => {
    const servers = [...openapi.servers, ...start.servers, ...start.post.servers];
    expect(servers.map(({ url }) => URL.canParse(url))).toEqual([true, true, true]);
  });

  test("gives the automation its own server at the path and at the operation", () => {
    expect(start.post.servers).toEqual(start.servers);
  });

  test("types the stream as what arrives one by one: an event", () => {
    expect(stream.schema).toEqual({ $ref: "#/components/schemas/AutomationEvent" });
  });

  test("has an example of each type of event", () => {
    expect(examples.map(([name]) => getSchema(name)).toSorted()).toEqual(
      openapi.components.schemas.AutomationEvent.oneOf.map(({ $ref }) => $ref.slice(1)).toSorted(),
    );
  });

  test.for(examples)("has an example of %s that validates against the contract", ([name, { value }]) => {
    expect(value.type).toBe(name);
    expect(listProblems(getSchema(name), value)).toEqual([]);
  });

  test("has headers that are strings: null can't be sent in one", () => {
    const headers = Object.values(openapi.components.parameters).filter((parameter) => parameter.in === "header");
    expect(headers.map(({ name, schema }) => [name, schema.type])).toEqual([
      ["x-service-request-origin", "string"],
      ["x-service-sdk-version", "string"],
    ]);
  });

  test("has the operations, parameters and schemas of the contract otherwise", () => {
    const { schemas } = openapi.components;
    const { UnknownEvent: _, AutomationEvent, ...withoutUnknown } = contract.components.schemas;
    const { discriminator: __, oneOf, ...union } = AutomationEvent;
    const listedEvents = oneOf.filter(({ $ref }) => $ref !== "#/components/schemas/UnknownEvent");
    expect(listedEvents).toHaveLength(oneOf.length - 1);
    expect(
      JSON.parse(JSON.stringify(schemas, (key, value) => (key === "enum" && value.length === 1 ? undefined : value))),
    ).toEqual({
      ...withoutUnknown,
      AutomationEvent: { ...union, "x-reading": "events.unknown-type", oneOf: listedEvents },
    });
    expect(openapi.components.securitySchemes).toEqual(getPart("/components/securitySchemes"));
    expect(openapi.tags).toEqual(getPart("/tags"));
    for (const path of ["page/scrape", "cookies", "replay"] as const) {
      expect(openapi.paths[`/sessions/{session_id}/${path}`]).toEqual(
        getPart(`/paths/~1sessions~1{session_id}~1${path.replace("/", "~1")}`),
      );
    }
  });
});

test("no server variable has a description: a known validator refuses it", () => {
  expect(getPart("/servers/0/variables")).toEqual({ base_url: { default: "http://127.0.0.1:4010" } });
  expect(getPart("/paths/~1api~1automation~1start/servers/0/variables")).toEqual({
    automation_url: { default: "http://127.0.0.1:4010" },
  });
});
