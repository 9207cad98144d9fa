import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import readings from "@cloud-browser/spec/readings.json" with { type: "json" };
import requirements from "@cloud-browser/spec/requirements.json" with { type: "json" };

test.for([
  { name: "requirements", twin: requirements },
  { name: "readings", twin: readings },
])("$name.json, as a program imports it, says what $name.yaml says", ({ name, twin }) => {
  expect(twin).toEqual(parse(readFileSync(new URL(`../${name}.yaml`, import.meta.url), "utf8")));
});
