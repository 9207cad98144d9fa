import type { Locator, Page } from "playwright-core";
import { AutomationError, StepError } from "../automation-error.ts";
import { describePlaywrightError } from "../steps/playwright-error.ts";
import { isPasswordField } from "../snapshot/passwords.ts";
import { recordTargetByRef } from "../targets/record-target.ts";
import { untilAborted } from "../async.ts";
import type { ExtractionKind, Step, StepTarget } from "../task/step.ts";
import { escapeTemplate } from "../task/template.ts";
import type { ValidToolCall } from "./agent-tools.ts";
import type { Secrets } from "../task/redaction.ts";

/** A call of a tool that acts on pages or extracts from them. */
export type StepCall = Exclude<ValidToolCall, { toolName: "read_page" | "ask_person" | "finish" }>;

type InputOf<Name extends StepCall["toolName"]> = Extract<StepCall, { toolName: Name }>["input"];

/** Most pages of an extraction unless the model says otherwise. */
const defaultMaxPages = 10;

/** Page and secrets that tool calls are converted with. */
export interface ToolCallContext {
  /** The page that the references belong to; undefined when none is open. */
  readonly page: Page | undefined;
  /** Collects what is filled into password fields: the step then holds a variable. */
  readonly secrets: Secrets;
  /** Aborts it. */
  readonly signal: AbortSignal;
}

/**
 * Converts a tool call to a step: references become stable targets, secrets become variables.
 *
 * @throws {AutomationError} `step_failed`
 */
export async function convertToolCall(call: StepCall, context: ToolCallContext): Promise<Step> {
  const { secrets } = context;
  const writeText = (plain: string): string => getText(plain, secrets);
  switch (call.toolName) {
    case "open_page":
      return { action: "open", url: writeText(call.input.url.trim()) };
    case "go_back":
      return { action: "back" };
    case "click":
      return { action: "click", target: await findTarget(call.input.ref, context) };
    case "hover":
      return { action: "hover", target: await findTarget(call.input.ref, context) };
    case "fill":
      return convertFill(call.input, context);
    case "select_option":
      return {
        action: "select",
        target: await findTarget(call.input.ref, context),
        option: writeText(call.input.option),
      };
    case "set_checked":
      return { action: "check", target: await findTarget(call.input.ref, context), checked: call.input.checked };
    case "upload_files":
      return {
        action: "upload",
        target: await findTarget(call.input.ref, context),
        files: call.input.files.map(writeText),
      };
    case "press_key": {
      const target = await findOptionalTarget(call.input.ref, context);
      return { action: "press", key: writeText(call.input.key), ...(target ? { target } : {}) };
    }
    case "scroll":
      return { action: "scroll", to: (await findOptionalTarget(call.input.ref, context)) ?? call.input.to ?? "down" };
    case "wait":
      return convertWait(call.input, context);
    case "extract":
      return convertExtract(call.input, context);
  }
}

async function convertFill({ ref, text }: InputOf<"fill">, context: ToolCallContext): Promise<Step> {
  const target = await findTarget(ref, context);
  const isSecret =
    context.secrets.isNamedInTask(text) ||
    (text !== "" && (await waitForPage(isPasswordField(locate(ref, context), context.signal), context.signal)));
  if (isSecret) context.secrets.add(text);
  return { action: "fill", target, value: getText(text, context.secrets) };
}

async function convertWait({ text, ref, seconds }: InputOf<"wait">, context: ToolCallContext): Promise<Step> {
  if (text) return { action: "wait", for: { text: getText(text, context.secrets) } };
  return { action: "wait", for: (await findOptionalTarget(ref, context)) ?? { seconds: seconds ?? 1 } };
}

async function convertExtract(input: InputOf<"extract">, context: ToolCallContext): Promise<Step> {
  const target = await findOptionalTarget(input.ref, context);
  const next = await findOptionalTarget(input.next_page_ref, context);
  return {
    action: "extract",
    name: input.name,
    what: chooseExtraction(input),
    ...(target ? { target } : {}),
    ...(next ? { nextPage: { target: next, most: input.most_pages ?? defaultMaxPages } } : {}),
  };
}

function chooseExtraction({ kind, schema, instructions }: InputOf<"extract">): ExtractionKind {
  if (kind !== "data") return { kind };
  if (!schema)
    throw new StepError("an extraction of the kind data needs a JSON Schema: give one, or take another kind");
  return { kind, schema, ...(instructions ? { instructions: escapeTemplate(instructions) } : {}) };
}

/** Escapes a text for a step; a secret becomes its variable. */
function getText(plain: string, secrets: Secrets): string {
  const name = secrets.findName(plain);
  return name === undefined ? escapeTemplate(plain) : `{{${name}}}`;
}

async function findOptionalTarget(
  ref: string | null | undefined,
  context: ToolCallContext,
): Promise<StepTarget | undefined> {
  return ref?.trim() ? findTarget(ref, context) : undefined;
}

async function findTarget(ref: string, context: ToolCallContext): Promise<StepTarget> {
  return waitForPage(recordTargetByRef(getPage(context), parseRef(ref)), context.signal);
}

function locate(ref: string, context: ToolCallContext): Locator {
  return getPage(context).getByRef(parseRef(ref));
}

function getPage({ page }: ToolCallContext): Page {
  if (!page) throw new StepError("no page is open: open one first");
  return page;
}

/**
 * Parses an element reference; accepts `[ref=e12]`, too.
 *
 * @throws {AutomationError} `step_failed`
 */
export function parseRef(ref: string): string {
  const bare = /(?:f\d+)?e\d+/.exec(ref)?.[0];
  if (bare === undefined)
    throw new StepError(`malformed reference "${ref.slice(0, 40)}": references look like e12 or f1e3`);
  return bare;
}

/** Waits for the page; its error becomes `step_failed`. */
async function waitForPage<Value>(answer: Promise<Value>, signal: AbortSignal): Promise<Value> {
  try {
    return await untilAborted(answer, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AutomationError) throw error;
    throw new StepError(`the page did not respond: ${describePlaywrightError(error)}; look at it again`, {
      cause: error,
    });
  }
}
