import { describe, expect, test } from "vitest";
import openapi from "../generated/openapi.json" with { type: "json" };
import { getPart, requirements, unspecified } from "./contract.ts";

/** The headings of the interface, in their order. */
const sections = [
  "Introduction",
  "What the service does",
  "Resources and their fields / ScrapeRequest",
  "Resources and their fields / DataSpace",
  "Resources and their fields / ImageData",
  "Resources and their fields / StructuredData",
  "Resources and their fields / ValidationError and HTTPValidationError",
  "Resources and their fields / Cookies response",
  "Resources and their fields / ReplayResponse",
  "Resources and their fields / Automation request",
  "Resources and their fields / Other records",
  "States and transitions",
  "Endpoints",
  "Endpoints / POST {base_url}/sessions/{session_id}/page/scrape",
  "Endpoints / GET {base_url}/sessions/{session_id}/cookies",
  "Endpoints / GET {base_url}/sessions/{session_id}/replay",
  "Endpoints / POST {automation_url}/api/automation/start",
  "Endpoints / Running a created function",
  "Authentication",
  "Events",
  "Errors",
  "Limits",
  "Versioning",
];

const operations = new Set(["page_scrape", "session_cookies", "session_replay", "automation_start", "none"]);
const rows = [...requirements, ...unspecified];

describe("both lists", () => {
  test("have ids, and texts, that occur once", () => {
    for (const values of [rows.map(({ id }) => id), rows.map(({ text }) => text)]) {
      expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
    }
  });

  test("cite the headings of the interface, and leave none of them out", () => {
    const cited = new Set(rows.flatMap((row) => [row.section, ...(row.also ?? [])]));
    expect([...cited].filter((section) => !sections.includes(section))).toEqual([]);
    expect(sections.filter((section) => !cited.has(section))).toEqual([]);
  });

  test("use the words that they define", () => {
    expect(rows.filter((row) => !operations.has(row.operation)).map(({ id }) => id)).toEqual([]);
    const observables = new Set(["mock", "live", "page", "contract", "none"]);
    expect(rows.filter((row) => !observables.has(row.observable)).map(({ id }) => id)).toEqual([]);
    expect(requirements.filter(({ level }) => level !== "stated" && level !== "assumed")).toEqual([]);
    expect(unspecified.filter(({ kind }) => kind !== "not shown" && kind !== "silent")).toEqual([]);
    expect(unspecified.filter(({ temptation, observe }) => !temptation || !observe)).toEqual([]);
  });
});

describe("the contract says what a requirement says it does:", () => {
  const pointers = requirements.flatMap(({ id, contract = {} }) =>
    Object.entries(contract).map(([pointer, want]) => ({ id, pointer, want })),
  );

  test.for(pointers)("$id at $pointer", ({ pointer, want }) => {
    expect(getPart(pointer)).toEqual(want);
  });

  test("a requirement that only the contract can show names its place", () => {
    expect(requirements.filter((row) => row.observable === "contract" && !row.contract)).toEqual([]);
  });

  test("every keyword that is our inference has an assumed requirement", () => {
    const assumed = new Set(
      requirements.filter(({ level }) => level === "assumed").flatMap(({ contract = {} }) => Object.keys(contract)),
    );
    const places: string[] = [];
    const walk = (node: unknown, pointer: string): void => {
      if (typeof node !== "object" || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        const at = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        if (key === "x-assumed") places.push(at);
        else walk(value, at);
      }
    };
    walk(openapi, "");
    expect(places.filter((place) => !assumed.has(place))).toEqual([]);
  });
});

const getParent = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf("/"));

describe("the contract leaves open what the interface does:", () => {
  const pointers = unspecified.flatMap(({ id, absent = [] }) => absent.map((pointer) => ({ id, pointer })));

  test.for(pointers)("$id, with nothing at $pointer", ({ pointer }) => {
    expect(getPart(getParent(pointer)), "there is nothing that could have it").toBeTypeOf("object");
    expect(getPart(pointer)).toBeUndefined();
  });

  test("each place is named once", () => {
    const places = pointers.map(({ pointer }) => pointer);
    expect(places.filter((pointer, at) => places.indexOf(pointer) !== at)).toEqual([]);
  });
});
