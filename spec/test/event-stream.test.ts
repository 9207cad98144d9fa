import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { getPart, listProblems } from "./contract.ts";
import { listItemProblems, parseItems } from "./event-stream.ts";

const media = "/paths/~1api~1automation~1start/post/responses/200/content/text~1event-stream";
const itemSchema = `${media}/itemSchema`;
const folder = new URL("../examples/automation/", import.meta.url);
const streams = readdirSync(folder).filter((name) => name.endsWith(".sse"));
const getText = (name: string): string => readFileSync(new URL(name, folder), "utf8");

const item = (event: unknown): { data: string } => ({ data: JSON.stringify(event) });

describe("a validator that follows OpenAPI 3.2", () => {
  test.for(streams)("accepts every event of %s", (name) => {
    const items = parseItems(getText(name));
    expect(items).toHaveLength(getText(name).match(/^data:/gm)?.length ?? 0);
    expect(items.map((one) => listItemProblems(itemSchema, one))).toEqual(items.map(() => []));
  });

  test("has no schema of the whole stream to apply: that would be one of an array of items", () => {
    expect(getPart(media)).toBeDefined();
    expect(getPart(`${media}/schema`)).toBeUndefined();
  });

  test("accepts the other fields of server-sent events, and drops comments", () => {
    const stream =
      ': hello\nevent: message\nid: 7\nretry: 3000\ndata: {"type":"status",\ndata: "status":"running"}\n\n';
    const items = parseItems(stream);
    expect(items).toEqual([{ event: "message", id: "7", retry: 3000, data: '{"type":"status",\n"status":"running"}' }]);
    expect(items.flatMap((one) => listItemProblems(itemSchema, one))).toEqual([]);
  });

  test.for([
    { name: "an item without data", value: { event: "message" } },
    { name: "data that are an object already", value: { data: { type: "status", status: "running" } } },
  ])("refuses $name", ({ value }) => {
    expect(listProblems(itemSchema, value)).not.toEqual([]);
  });

  test.for([
    { name: "a listed event without its key field", event: { type: "text_delta" } },
    { name: "an event without a type", event: { status: "running" } },
    { name: "a type that is no string", event: { type: 7 } },
    { name: "what is no object", event: ["status"] },
  ])("refuses $name", ({ event }) => {
    expect(listItemProblems(itemSchema, item(event))).not.toEqual([]);
  });

  test("accepts an event of a type that is not listed, whatever it holds", () => {
    expect(listItemProblems(itemSchema, item({ type: "heartbeat", seq: 1 }))).toEqual([]);
  });
});
