import { AutomationError } from "../automation-error.ts";
import { describeForm } from "./field-form.ts";

/** Errors of the network for a server that does not respond, or not in HTTP. */
const unreachable = /ERR_(?:EMPTY_RESPONSE|NAME_NOT_RESOLVED|CONNECTION_|ADDRESS_|TIMED_OUT|INVALID_HTTP_RESPONSE)/;

/** Converts a Playwright error to a short reason, without call log and stack. */
export function describePlaywrightError(error: unknown): string {
  if (error instanceof AutomationError) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  const [failure = ""] = message.split("\n", 1); // the call log follows
  if (/has been closed|Target closed/i.test(failure)) return "the page was closed";
  const [network] = /net::ERR_[A-Z_]+/.exec(message) ?? [];
  if (network !== undefined && unreachable.test(network))
    return `the server could not be reached, or sent no valid response (${network})`;
  if (network !== undefined) return network;
  const [, cover] = /(<[a-z][^\n]{0,200}?) intercepts pointer events/i.exec(message) ?? [];
  if (cover !== undefined) return `it is covered by ${describeTag(cover)}`;
  if (/element is not enabled/i.test(message)) return "it is disabled";
  if (/element is not visible/i.test(message)) return "it is not visible";
  if (/not editable|readonly/i.test(message)) return "it can't be edited";
  if (/outside of the viewport/i.test(message)) return "it can't be scrolled into view";
  if (/element is not stable/i.test(message)) return "it is not stable (it keeps moving)";
  if (/Malformed value/i.test(message)) return describeForm("");
  if (/Cannot type text into input\[type=number\]/i.test(message)) return "the field takes numbers only";
  if (/not an <input>, <textarea>|cannot be filled/i.test(message)) return "not an editable text field";
  if (/Not a checkbox or radio/i.test(message)) return "not a checkbox or radio button";
  if (/Unknown key/i.test(message)) return "unknown key (keys are Enter, Tab, ArrowDown, Control+a, …)";
  if (/Download is starting/i.test(message)) return "the address is a download, not a page";
  if (/crash/i.test(message)) return "the page crashed";
  const [, limit] = /Timeout (\d+)ms exceeded/i.exec(message) ?? [];
  if (limit !== undefined) return `timed out after ${Number(limit) / 1000} s`;
  return failure.replace(/^(?:locator|page|frame|elementHandle)\.\w+: /, "").slice(0, 200);
}

function describeTag(markup: string): string {
  const [, tag = "something"] = /<([a-z][\w-]*)/i.exec(markup) ?? [];
  return `<${tag}>`;
}
