import type { Hono } from "hono";
import { type FunctionRecord, FunctionWorker, writeFunctionSource } from "@cloud-browser/automation";
import type { Model } from "@cloud-browser/page-content";
import { readGivenFiles, type GivenFileParts } from "./files/given-files.ts";
import type { Assignment } from "../runs/run-options.ts";
import type { FunctionStore } from "../storage/function-store.ts";
import { answerRunStart, findProfile, type RunStartParts } from "./automation-routes.ts";
import type { Fault } from "../control/validation-faults.ts";
import { requireJson } from "./json-body.ts";
import { answerInvalid, answerProblem } from "./problems.ts";

/** Parts that the function routes need. */
export interface FunctionParts extends RunStartParts, GivenFileParts {
  /** The functions that runs have ended in. */
  readonly functions: FunctionStore;
  /** Heals steps that do not fit any more. Default: nothing does. */
  readonly model?: Model | undefined;
}

/** How functions are listed, shown, deleted and run again. Source: interface § Running a created function. */
export function addFunctionRoutes(app: Hono, { functions, model, ...parts }: FunctionParts): void {
  app.get("/control/functions", async (c) => c.json({ functions: await functions.list(c.get("holder").name) }));

  app.get("/control/functions/:function_id", async (c) => {
    const record = await functions.get(c.req.param("function_id"), c.get("holder").name);
    return record ? c.json(record) : refuseUnknown();
  });

  app.get("/control/functions/:function_id/source", async (c) => {
    const record = await functions.get(c.req.param("function_id"), c.get("holder").name);
    return record
      ? c.text(writeFunctionSource(record), 200, { "content-type": "text/typescript; charset=utf-8" })
      : refuseUnknown();
  });

  app.delete("/control/functions/:function_id", async (c) => {
    return (await functions.delete(c.req.param("function_id"), c.get("holder").name))
      ? c.json({ deleted: true })
      : refuseUnknown();
  });

  app.post("/control/functions/:function_id/run", async (c) => {
    const json = await requireJson(c.req.raw, { missing: {} });
    if (json instanceof Response) return json;
    const { value, bytes } = json;
    const record = await functions.get(c.req.param("function_id"), c.get("holder").name);
    if (!record) return refuseUnknown();
    const [input, choice] = [readVariables(value, record), findProfile(value)];
    if ("faults" in input) return answerInvalid(input.faults);
    if ("faults" in choice) return answerInvalid(choice.faults);
    const { profile } = choice;
    const files = await readGivenFiles(value, c.get("holder").name, parts);
    if ("faults" in files) return answerInvalid(files.faults);
    const keep = (healed: FunctionRecord): Promise<void> => functions.replace(healed);
    const worker = new FunctionWorker(record, input.variables, { model, keep });
    const assign = (): Omit<Assignment, "profile"> => ({ worker, task: record.query, ...files, makesFunction: false });
    return answerRunStart(parts, c, bytes, assign, { profile });
  });
}

/** Says that no function has an id. */
export const unknownFunction = "there is no such function";

function refuseUnknown(): Response {
  return answerProblem(404, unknownFunction);
}

/** The variables of a request: a map of string to string. Source: interface § Running a created function. */
function readVariables(
  body: unknown,
  { variables }: FunctionRecord,
): { readonly variables: Readonly<Record<string, string>> } | { readonly faults: readonly Fault[] } {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    return { faults: [{ loc: ["body"], msg: "Input should be an object", type: "object_type" }] };
  const {
    variables: values = {},
    profile: _profile,
    files: _files,
    ...others
  }: { readonly variables?: unknown; readonly profile?: unknown; readonly files?: unknown } = body;
  const odd = Object.keys(others).map((name): Fault => {
    return { loc: ["body", name], msg: "Extra inputs are not permitted", type: "extra_forbidden" };
  });
  if (odd.length > 0) return { faults: odd };
  if (typeof values !== "object" || values === null || Array.isArray(values)) {
    return {
      faults: [{ loc: ["body", "variables"], msg: "Input should be an object of strings", type: "object_type" }],
    };
  }
  const entries: readonly [string, unknown][] = Object.entries(values);
  const names = new Set(variables.map(({ name }) => name));
  const faults = entries.flatMap(([name, value]): Fault[] => {
    const loc = ["body", "variables", name];
    if (!names.has(name)) {
      const has = names.size === 0 ? "it has none" : `it has ${[...names].join(", ")}`;
      return [{ loc, msg: `The function has no such variable; ${has}`, type: "extra_forbidden" }];
    }
    return typeof value === "string" ? [] : [{ loc, msg: "Input should be a valid string", type: "string_type" }];
  });
  const texts = entries.flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : []));
  return faults.length > 0 ? { faults } : { variables: Object.fromEntries(texts) };
}
