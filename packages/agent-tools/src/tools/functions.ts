import { computeDigest } from "./digest.ts";
import { runFacts, startConfirmed, waitSeconds } from "./runs.ts";
import { factsSchema } from "./schemas.ts";
import type { FactValue, Tool } from "./tool.ts";

/** Maximum number of functions in a list. */
const mostListed = 50;

/** Lists functions. */
export const listFunctionsTool: Tool = {
  name: "list_functions",
  title: "List functions",
  description: "List functions that automations created: the same steps again, with other values.",
  inputSchema: {
    type: "object",
    properties: { function_id: { type: "string", maxLength: 200, description: "this one only" } },
    additionalProperties: false,
  },
  outputSchema: factsSchema({ functions: "array" }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  needsControl: true,
  async run({ control, settings }, args, { signal }) {
    const id = args.text("function_id");
    const functions =
      id === undefined || id === ""
        ? (await control.functions.list({ signal })).functions
        : [await control.functions.read(id, { signal })];
    const listed = functions.slice(0, mostListed);
    return {
      facts: {
        functions: listed.map(({ function_id, created_at, steps, variables }): FactValue => ({
          function_id,
          created_at,
          steps: steps.length,
          variables: variables.length,
        })),
        ...(functions.length > listed.length && { left_out: functions.length - listed.length }),
      },
      ...(listed.length > 0 && {
        // Names and values come from tasks, and from pages.
        pageText: listed
          .map(({ function_id, function_name, query, variables }) => {
            const values = variables.map(
              ({ name, value }) =>
                `${name}=${value === null ? "(has to be given)" : JSON.stringify(value.slice(0, 200))}`,
            );
            return `${function_id}: ${function_name.slice(0, 100)} | ${query.slice(0, 300)} | ${values.join(", ") || "no variables"}`;
          })
          .join("\n")
          .slice(0, settings.maxPageChars),
      }),
    };
  },
};

/** Runs a function. */
export const runFunctionTool: Tool = {
  name: "run_function",
  title: "Run a function",
  description: "Run a function again, in a new session; a billed run. Returns like automate.",
  inputSchema: {
    type: "object",
    properties: {
      function_id: { type: "string", minLength: 1, maxLength: 200 },
      variables: { type: "object", description: "values by name", additionalProperties: { type: "string" } },
      wait_s: waitSeconds,
    },
    required: ["function_id"],
    additionalProperties: false,
  },
  outputSchema: runFacts,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  needsControl: true,
  isBilled: true,
  async run(environment, args, call) {
    const id = args.requiredText("function_id");
    const variables = Object.fromEntries(
      Object.entries(args.object("variables") ?? {}).map(([name, value]) => [name, String(value)]),
    );
    const { profile } = environment.settings;
    return startConfirmed(environment, call, {
      key: await computeDigest(
        "run_function",
        id,
        JSON.stringify(Object.entries(variables).toSorted(([a], [b]) => (a < b ? -1 : 1))),
      ),
      task: `function ${id} with ${JSON.stringify(variables)}`,
      waitS: args.number("wait_s"),
      start: async () => {
        const run = await environment.control.functions.run(id, {
          variables,
          ...(profile !== undefined && { profile }),
        });
        return { id: run.thread_id, local: undefined };
      },
    });
  },
};
