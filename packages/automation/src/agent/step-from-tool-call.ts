import type { Locator, Page } from "playwright-core";
import { AutomationError } from "../automation-error.ts";
import { reasonOf } from "../steps/failures.ts";
import { isPasswordField } from "../snapshot/passwords.ts";
import { targetOfRef } from "../targets/target-of.ts";
import { untilAborted } from "../async.ts";
import type { Extraction, Step, Target } from "../task/step.ts";
import { literally } from "../task/template.ts";
import type { FittingCall } from "./agent-tools.ts";
import type { Secrets } from "../task/secrets.ts";

/** A call of a tool that acts on pages or extracts from them. */
export type StepCall = Exclude<FittingCall, { toolName: "read_page" | "finish" }>;

type InputOf<Name extends StepCall["toolName"]> = Extract<StepCall, { toolName: Name }>["input"];

/** Most pages of an extraction when the model does not say. */
const usualPages = 10;

/** Where the calls of a model become steps. */
export interface CallPlace {
  /** The page that the references belong to; undefined when none is open. */
  readonly page: Page | undefined;
  /** Takes in what is filled into password fields: the step then holds a variable. */
  readonly secrets: Secrets;
  /** Calls it off. */
  readonly signal: AbortSignal;
}

/**
 * Makes a call of a model a step: references become targets that last, texts hold no secret.
 *
 * @throws {AutomationError} `step_failed`
 */
export async function stepOfCall(call: StepCall, place: CallPlace): Promise<Step> {
  const { secrets } = place;
  const text = (plain: string): string => textOf(plain, secrets);
  switch (call.toolName) {
    case "open_page":
      return { action: "open", url: text(call.input.url.trim()) };
    case "go_back":
      return { action: "back" };
    case "click":
      return { action: "click", target: await targetOf(call.input.ref, place) };
    case "fill":
      return fillStep(call.input, place);
    case "select_option":
      return { action: "select", target: await targetOf(call.input.ref, place), option: text(call.input.option) };
    case "set_checked":
      return { action: "check", target: await targetOf(call.input.ref, place), checked: call.input.checked };
    case "press_key": {
      const target = await targetOfOptional(call.input.ref, place);
      return { action: "press", key: text(call.input.key), ...(target ? { target } : {}) };
    }
    case "scroll":
      return { action: "scroll", to: (await targetOfOptional(call.input.ref, place)) ?? call.input.to ?? "down" };
    case "wait":
      return waitStep(call.input, place);
    case "extract":
      return extractStep(call.input, place);
  }
}

async function fillStep({ ref, text }: InputOf<"fill">, place: CallPlace): Promise<Step> {
  const target = await targetOf(ref, place);
  const isSecret =
    place.secrets.isExpected(text) ||
    (text !== "" && (await answered(isPasswordField(locate(ref, place)), place.signal)));
  if (isSecret) place.secrets.keep(text);
  return { action: "fill", target, value: textOf(text, place.secrets) };
}

async function waitStep({ text, ref, seconds }: InputOf<"wait">, place: CallPlace): Promise<Step> {
  if (text) return { action: "wait", for: { text: textOf(text, place.secrets) } };
  return { action: "wait", for: (await targetOfOptional(ref, place)) ?? { seconds: seconds ?? 1 } };
}

async function extractStep(input: InputOf<"extract">, place: CallPlace): Promise<Step> {
  const target = await targetOfOptional(input.ref, place);
  const next = await targetOfOptional(input.next_page_ref, place);
  return {
    action: "extract",
    name: input.name,
    what: extractionOf(input),
    ...(target ? { target } : {}),
    ...(next ? { nextPage: { target: next, most: input.most_pages ?? usualPages } } : {}),
  };
}

function extractionOf({ kind, schema, instructions }: InputOf<"extract">): Extraction {
  if (kind !== "data") return { kind };
  if (!schema)
    throw new AutomationError(
      "step_failed",
      "An extraction of the kind data needs a JSON Schema: give one, or take another kind.",
    );
  return { kind, schema, ...(instructions ? { instructions: literally(instructions) } : {}) };
}

/** A text of a step: as it is, or the variable of the secret that it is. */
function textOf(plain: string, secrets: Secrets): string {
  const name = secrets.nameOf(plain);
  return name === undefined ? literally(plain) : `{{${name}}}`;
}

async function targetOfOptional(ref: string | null | undefined, place: CallPlace): Promise<Target | undefined> {
  return ref?.trim() ? targetOf(ref, place) : undefined;
}

async function targetOf(ref: string, place: CallPlace): Promise<Target> {
  return answered(targetOfRef(pageOf(place), bareRef(ref)), place.signal);
}

function locate(ref: string, place: CallPlace): Locator {
  return pageOf(place).getByRef(bareRef(ref));
}

function pageOf({ page }: CallPlace): Page {
  if (!page) throw new AutomationError("step_failed", "No page is open: open one first.");
  return page;
}

/**
 * A reference as it is; models like to give `[ref=e12]`.
 *
 * @throws {AutomationError} `step_failed`
 */
export function bareRef(ref: string): string {
  const bare = /(?:f\d+)?e\d+/.exec(ref)?.[0];
  if (bare === undefined)
    throw new AutomationError(
      "step_failed",
      `malformed reference "${ref.slice(0, 40)}": references look like e12 or f1e3.`,
    );
  return bare;
}

/** Waits for an answer of a page; an error of the page becomes `step_failed`. */
async function answered<Value>(answer: Promise<Value>, signal: AbortSignal): Promise<Value> {
  try {
    return await untilAborted(answer, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AutomationError) throw error;
    throw new AutomationError("step_failed", `The page did not respond: ${reasonOf(error)}. Look at it again.`, {
      cause: error,
    });
  }
}
