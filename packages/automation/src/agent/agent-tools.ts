import type { ToolSet, TypedToolCall } from "ai";
import { z } from "zod";

const ref = z
  .string()
  .min(1)
  .max(40)
  .describe("Reference of an element on the page as last shown, such as e12 or f1e3");
const optionalRef = z.string().max(40).nullish();

/** The tools that a model works with. They are performed by the agent, not by the SDK: none of them executes itself. */
export const agentTools = {
  open_page: {
    description: "Opens an address (http or https).",
    inputSchema: z.object({ url: z.string().min(1).max(8_000) }),
  },
  go_back: { description: "Goes back to the previous page.", inputSchema: z.object({}) },
  click: { description: "Clicks an element.", inputSchema: z.object({ ref }) },
  hover: {
    description: "Moves the pointer over an element, for menus and hints that show only then. Does not click.",
    inputSchema: z.object({ ref }),
  },
  fill: {
    description: "Replaces the text of an input field. Does not submit it.",
    inputSchema: z.object({ ref, text: z.string().max(20_000) }),
  },
  select_option: {
    description: "Selects an option of a drop-down list, by its text.",
    inputSchema: z.object({ ref, option: z.string().max(1_000) }),
  },
  set_checked: {
    description: "Checks a checkbox or a radio button, or unchecks a checkbox.",
    inputSchema: z.object({ ref, checked: z.boolean() }),
  },
  upload_files: {
    description:
      "Chooses files of the session in a file input, or in the file chooser that a click on the element opens. Files are those that the run was started with, that were uploaded to the session, or that it has downloaded; an error lists their names.",
    inputSchema: z.object({ ref, files: z.array(z.string().min(1).max(1_000)).min(1).max(20) }),
  },
  press_key: {
    description:
      "Presses a key or a combination such as Enter, Escape, ArrowDown, Control+A; in an element when given.",
    inputSchema: z.object({ key: z.string().min(1).max(40), ref: optionalRef }),
  },
  scroll: {
    description: "Scrolls the page, or to an element when given.",
    inputSchema: z.object({ to: z.enum(["top", "bottom", "down", "up"]).nullish(), ref: optionalRef }),
  },
  wait: {
    description: "Waits for a text to appear, for an element, or for some seconds. Give one of them.",
    inputSchema: z.object({
      text: z.string().max(1_000).nullish(),
      ref: optionalRef,
      seconds: z.number().min(0).max(30).nullish(),
    }),
  },
  extract: {
    description:
      "Extracts data and keeps it as a result under a name. Kinds: text (of an element or the main content), table (list of objects by header), list, links (texts with addresses), data (follows the JSON Schema that you give). Goes over further pages by itself when next_page_ref is the link or button to the next page. Extract what the task asks for even when you can read it already: results are kept exactly.",
    inputSchema: z.object({
      name: z.string().regex(/^[A-Za-z_]\w{0,59}$/, "must consist of letters, digits and underscores"),
      kind: z.enum(["text", "table", "list", "links", "data"]),
      ref: optionalRef.describe("The part; without it the whole page"),
      schema: z.record(z.string(), z.unknown()).nullish().describe("JSON Schema, for the kind data"),
      instructions: z.string().max(2_000).nullish().describe("More about what is wanted, for the kind data"),
      next_page_ref: optionalRef,
      most_pages: z.number().int().min(1).max(100).nullish().describe("Most pages in all; 10 unless given"),
    }),
  },
  read_page: {
    description: "Shows the page, or a part of it in more detail, with references.",
    inputSchema: z.object({ ref: optionalRef, depth: z.number().int().min(1).max(50).nullish() }),
  },
  ask_person: {
    description:
      "Asks a person to do something on the page, and waits until that is done or declined: to log in, to enter a one-time code, to solve a captcha, to confirm a payment or anything else that can't be undone and that the task does not clearly ask for. Only for what you can't or must not do yourself.",
    inputSchema: z.object({
      message: z
        .string()
        .min(1)
        .max(1_500)
        .describe("What the person is to do, in the language of the task. No secrets"),
    }),
  },
  finish: {
    description: "Ends the task. Call it alone, when everything is done or when it can't be done.",
    inputSchema: z.object({
      answer: z.string().min(1).max(40_000).describe("The answer for the user, in Markdown"),
      succeeded: z.boolean().nullish().describe("false when the task could not be done; true unless given"),
      function_name: z
        .string()
        .max(200)
        .nullish()
        .describe("What was done, two to five words in snake_case: search_products"),
      variables: z
        .array(z.object({ name: z.string().min(1).max(60), value: z.string().max(20_000) }))
        .max(50)
        .nullish()
        .describe(
          "Values of the task that may differ the next time, exactly as they were used in steps. Never passwords",
        ),
      leave_out_steps: z
        .array(z.number().int())
        .max(200)
        .nullish()
        .describe("Numbers of the steps that were not needed: detours and failed tries"),
    }),
  },
} as const satisfies ToolSet;

/** Returns the tools of an agent: with `ask_person` only if a person can be asked. */
export function chooseTools(canAsk: boolean): typeof agentTools | Omit<typeof agentTools, "ask_person"> {
  const { ask_person: _, ...others } = agentTools;
  return canAsk ? agentTools : others;
}

/** Returns the tools approximately as they are sent, to count their bytes. */
export function describeTools(tools: ReturnType<typeof chooseTools>): readonly unknown[] {
  return Object.entries(tools).map(([name, { description, inputSchema }]) => ({
    type: "function",
    function: { name, description, parameters: z.toJSONSchema(inputSchema) },
  }));
}

/** A call of a tool; one whose name or arguments are wrong is `invalid`. */
export type ToolCall = TypedToolCall<typeof agentTools>;

/** A call of a tool with arguments that fit. */
export type ValidToolCall = Exclude<ToolCall, { dynamic: true }>;
