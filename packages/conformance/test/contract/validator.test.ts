/**
 * A validator that is made of the contract finds nothing wrong with what correct servers answer, but at places that are marked: `x-reading`
 * names the reading that the contract takes the strict way there.
 */
import events from "@cloud-browser/spec/events.schema.json" with { type: "json" };
import openapi from "@cloud-browser/spec/openapi.json" with { type: "json" };
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { expect, test } from "vitest";
import {
  joinBody,
  isObject,
  findOperation,
  type Answer,
  type ReceivedRequest,
  type Json,
} from "../targets/messages.ts";
import { correctTargets } from "../targets/proofs.ts";
import { answerRequest, apiKey, correctService, type Service } from "../targets/service.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true });
ajvFormats.default(ajv, ["uuid"]);
ajv.addSchema(openapi, "contract");
const validateEvent = ajv.compile(events);

/** Page scrapes: of each option, and one that is not valid. */
const scrapes: readonly Json[] = [
  {},
  { scrape_images: true },
  { only_images: true },
  { response_format: { type: "object" } },
  { selector: "main", instructions: "prices", ignored_tags: ["nav"], only_main_content: true, scrape_links: false },
  { selector: 7, nothing: true },
];

const makeRequest = (method: string, path: string, body: Json | undefined): ReceivedRequest => ({
  method,
  path,
  query: new URLSearchParams(),
  headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
  body: body === undefined ? "" : JSON.stringify(body),
  onConnection: 1,
  underWay: 1,
});

function requestsTo({ sessions: { open, ended } }: Service): ReceivedRequest[] {
  return [
    ...scrapes.map((body) => makeRequest("POST", `/sessions/${open}/page/scrape`, body)),
    makeRequest("GET", `/sessions/${open}/cookies`, undefined),
    makeRequest("GET", `/sessions/${ended}/replay`, undefined),
    makeRequest("POST", "/api/automation/start", { query: "When does the next ferry leave?" }),
    makeRequest("POST", "/api/automation/start", {}),
  ];
}

/** Values in an answer, each with the name of its schema. */
function valuesIn(answer: Answer, request: ReceivedRequest): [name: string, value: Json][] {
  const schema = { scrape: "DataSpace", cookies: "CookiesResponse", replay: "ReplayResponse" };
  const operation = findOperation(request) ?? "automation";
  const body = joinBody(answer).replace(/^\uFEFF/, "");
  if (operation !== "automation") {
    const name = answer.status === 200 ? schema[operation] : answer.status === 422 ? "HTTPValidationError" : undefined;
    return name === undefined ? [] : [[name, JSON.parse(body)]];
  }
  if (answer.status !== 200) return [];
  const lines = body.split(/[\r\n]+/).filter((line) => line.startsWith("data: "));
  return lines.map((line) => {
    const event: Json = JSON.parse(line.slice("data: ".length));
    return [nameEventSchema(event), event];
  });
}

/** The schema that the discriminator leads to. */
function nameEventSchema(event: Json): string {
  const { mapping, defaultMapping } = openapi.components.schemas.AutomationEvent.discriminator;
  const byType = new Map(Object.entries(mapping).map(([type, leads]) => [JSON.stringify(type), leads]));
  const reference = byType.get(JSON.stringify(isObject(event) ? event["type"] : null));
  return (reference ?? defaultMapping).replace("#/components/schemas/", "");
}

function listErrors([name, value]: readonly [name: string, value: Json]): ErrorObject[] {
  const validate = ajv.getSchema(`contract#/components/schemas/${name}`);
  if (!validate) throw new Error(`the contract has no schema ${name}`);
  return validate(value) === true ? [] : (validate.errors ?? []);
}

/** Readings that a schema takes the strict way, which refuses a value. */
const listMarks = ({ parentSchema }: ErrorObject): unknown[] => [parentSchema?.["x-reading"] ?? []].flat();

/** Returns whether the keyword that refuses a value is an inference. */
const isAssumed = ({ keyword, parentSchema }: ErrorObject): boolean =>
  [parentSchema?.["x-assumed"] ?? []].flat().includes(keyword);

/** All marks below a value. */
function marksIn(node: unknown): unknown[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => (key === "x-reading" ? [value].flat() : marksIn(value)));
}

const services = correctTargets.map(({ does, parts }) => ({ does, service: { ...correctService, ...parts } }));
const results = services.map(({ does, service }) => {
  const values = requestsTo(service).flatMap((request) => valuesIn(answerRequest(service, request), request));
  return { does, values, errors: values.flatMap(listErrors) };
});

test("correct servers answer enough to be judged, and use each reading that is marked at an answer", () => {
  expect(results.length).toBeGreaterThan(300);
  expect(results.filter(({ values }) => values.length < 5).map(({ does }) => does)).toEqual([]);
  const used = new Set(results.flatMap(({ errors }) => errors.flatMap(listMarks)));
  const { ScrapeRequest: _, ...answered } = openapi.components.schemas;
  expect(used).toEqual(new Set(marksIn(answered)));
});

test.for(results)("a server that $does answers what the contract lets through, or marks", ({ errors }) => {
  const unmarked = errors.filter((error) => listMarks(error).length === 0 && !isAssumed(error));
  expect(unmarked.map(({ instancePath, message, data }) => [instancePath, message, data])).toEqual([]);
});

test.for(results)(
  "by the JSON Schema of events, which holds readings open, a server that $does sends valid ones",
  ({ values }) => {
    const examples = values.filter(([name]) => name.endsWith("Event"));
    expect(examples.filter(([, event]) => !validateEvent(event))).toEqual([]);
  },
);
