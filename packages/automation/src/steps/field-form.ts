import type { Locator } from "playwright-core";
import { StepError } from "../automation-error.ts";
import { quoteText } from "../quote.ts";

/** How the values of fields of a type are written. */
const forms: Readonly<Record<string, string>> = {
  date: "a date is 2026-11-21",
  time: "a time is 14:30",
  "datetime-local": "a date with a time is 2026-11-21T14:30",
  month: "a month is 2026-11",
  week: "a week is 2026-W47",
  color: "a color is #1e90ff",
  number: "a number is 12.5",
};

/** Values that a slider takes. */
interface SliderRange {
  readonly least: number;
  readonly most: number;
  /** Undefined if it takes any number. */
  readonly step: number | undefined;
  /** The values next to the wanted one; empty if that is no number. */
  readonly nearest: readonly number[];
}

/** Why a field can't have a value. */
type Refusal = { readonly type: string; readonly color?: string } | { readonly slider: SliderRange };

/** Longest time to ask, in milliseconds. */
const timeoutMs = 1000;

/**
 * Throws, before anything is done, if a field can't have a value: a slider between two steps, or a date, time or color in another form.
 *
 * @throws {AutomationError} `step_failed`, with the nearest values of a slider, or the form of the field.
 */
export async function expectPossibleValue(locator: Locator, value: string): Promise<void> {
  const refusal = await locator.evaluate(findRefusal, value, { timeout: timeoutMs }).catch(() => null);
  if (refusal === null) return;
  if ("slider" in refusal) throw new StepError(describeSlider(refusal.slider, value));
  const example = refusal.color === undefined ? {} : { color: `this color is ${refusal.color}` };
  throw new StepError(describeForm(refusal.type, example));
}

/** Describes the form of the values of a field. */
export function describeForm(type: string, examples: Readonly<Record<string, string>> = {}): string {
  const form = { ...forms, ...examples }[type];
  return `the value does not have the form that the field takes${form === undefined ? "" : ` (${form})`}`;
}

/** Returns the type of a field; empty if it has none. */
export async function readFieldType(locator: Locator): Promise<string> {
  const read = (field: Element): string => (field instanceof HTMLInputElement ? field.type : "");
  return locator.evaluate(read, undefined, { timeout: timeoutMs }).catch(() => "");
}

function describeSlider({ least, most, step, nearest }: SliderRange, value: string): string {
  const steps = step === undefined ? "" : ` in steps of ${step}`;
  const near =
    nearest.length === 0 ? "" : `; the nearest ${nearest.length === 1 ? "is" : "are"} ${nearest.join(" and ")}`;
  return `the slider can't be set to ${quoteText(value)}: it takes numbers from ${least} to ${most}${steps}${near}`;
}

/** Runs in the page: tries a value in a field of the same kind, which is not in the page; null if it is kept. */
function findRefusal(field: Element, value: string): Refusal | null {
  if (!(field instanceof HTMLInputElement)) return null;
  const { type } = field;
  if (!["range", "date", "time", "datetime-local", "month", "week", "color"].includes(type)) return null;
  const text = type === "color" ? value.trim().toLowerCase() : value.trim();
  if (text === "" && type !== "range") return null;
  const copy = document.createElement("input");
  copy.type = type;
  if (type === "range")
    for (const name of ["min", "max", "step", "value"]) {
      const attribute = field.getAttribute(name);
      if (attribute !== null) copy.setAttribute(name, attribute);
    }
  copy.value = text;
  if (type !== "range") {
    if (copy.value === text) return null;
    return type === "color" && copy.value !== "#000000" ? { type, color: copy.value } : { type };
  }
  const asNumber = text === "" ? Number.NaN : Number(text);
  if (Number(copy.value) === asNumber) return null;
  const hold = (number: number): number => {
    copy.value = String(Number(number.toFixed(10)));
    return Number(copy.value);
  };
  const [least, most] = [hold(-1e15), hold(1e15)];
  const ownStep = Number(copy.step || "1");
  const step = copy.step.toLowerCase() === "any" ? undefined : ownStep > 0 ? ownStep : 1;
  const width = step ?? 1;
  const below = Math.floor((asNumber - least) / width) * width + least;
  const inside = [...new Set([hold(below), hold(below + width)])];
  const nearest = Number.isNaN(asNumber) ? [] : asNumber < least ? [least] : asNumber > most ? [most] : inside;
  return { slider: { least, most, step, nearest } };
}
