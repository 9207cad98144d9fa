import type { Page } from "playwright-core";
import { StepError } from "../automation-error.ts";
import { awaitWithin } from "../async.ts";
import { formatUrl } from "../quote.ts";
import { askDocuments, askHeldValues } from "./ask-documents.ts";
import { identifyDocument } from "./document-of.ts";
import type { Message, DocumentChanges } from "./document-watch.ts";
import type { ChangedValue } from "./held-values.ts";
import { isMainFrame, watchSession, type FailedRequest } from "./session-watch.ts";
import { isFailure, saysFailure, saysSuccess } from "./words.ts";

/** Kind of a step, which decides how strictly messages of the page are judged. */
export interface Manner {
  /** `sets` for a step that sets a value, `leads` for a click on a link, `does` for any other one. */
  readonly kind: "sets" | "leads" | "does";
  /** The document before the step; undefined when it is unknown. */
  readonly before: string | undefined;
}

/** Most notes of one kind, and most characters of each. */
const most = { notes: 3, characters: 200 } as const;
/** Longest wait for the text of a page, in milliseconds. */
const wordsTimeoutMs = 1000;

/**
 * Reads the reactions of the pages of a session to a step: response statuses, alerts and live regions, invalid fields, dialogs, and values
 * that the page changed.
 *
 * @returns Reactions that are no failure, as sentences.
 * @throws {AutomationError} `step_failed`, with the page's words.
 */
export async function hear(page: Page, { kind, before }: Manner): Promise<readonly string[]> {
  const watch = await watchSession(page);
  watch.manner = kind;
  const failed = watch.takeFailed();
  const dialogs = await watch.dialogs.take();
  const document = failed.find(isOwnDocument);
  if (document && isStill(page, document))
    throw new StepError(`${describe(document)}${quote(await readWords(page), ": ")}`);
  const [changed] = (await askHeldValues(page, kind === "sets" ? "changed" : "blocked")).flat();
  if (changed) throw new StepError(describeChanged(changed));
  const changes = await askDocuments(page, "collect");
  const [invalid] = changes.flatMap((one) => one.invalid);
  const isNew = before !== undefined && (await identifyDocument(page)) !== before;
  if (invalid !== undefined && kind !== "leads") throw new StepError(`a field is invalid${quote(invalid, ": ")}`);
  const messages = changes.flatMap((one) => one.messages);
  const hasRefused = failed.some(isOwnWrite);
  const wrong = messages.find((message) => isWrong(message, { kind, isNew, hasFailed: hasRefused }));
  const texts = changes.flatMap(({ texts: all, isOnlyText }) =>
    all.filter(
      ({ text, isWritten }) => statesFailure(text) || (isOnlyText && (isWritten ? isShort(text) : asks(text))),
    ),
  );
  const refused = hasRefused ? changes.flatMap(listAnswers)[0] : undefined;
  const text = kind === "does" && !isNew ? (texts[0]?.text ?? refused) : undefined;
  if (wrong || text !== undefined) throw new StepError(`the page says${quote(wrong?.text ?? text ?? "", " ")}`);
  const sentences = messages
    .filter(({ role }) => role !== "looks")
    .map((message) => `The page said${quote(message.text, " ")}.`);
  const logIn = isNew && (await isSentToLogIn(page)) ? ["The page was led to a log-in, and asks for a password."] : [];
  return [
    ...dialogs,
    ...logIn,
    ...limitNotes(sentences, "messages"),
    ...limitNotes([...new Set(failed.map(describeNote))], "failed requests"),
  ];
}

/** Returns, as a sentence, a request for content of a page that failed since the last call of `hear`; undefined if none did. */
export async function findFailedRead(page: Page): Promise<string | undefined> {
  const { failed } = await watchSession(page);
  const request = failed.find(({ isOwn, kind }) => isOwn && (kind === "data" || kind === "document"));
  return request && describeNote(request);
}

/** Returns whether the current document was reached by a redirect and asks for a password. */
async function isSentToLogIn(page: Page): Promise<boolean> {
  const answer = page.evaluate(() => {
    const [navigation] = performance.getEntriesByType("navigation");
    const isRedirected = navigation instanceof PerformanceNavigationTiming && navigation.redirectCount > 0;
    return isRedirected && [...document.querySelectorAll("input[type=password]")].some((one) => one.checkVisibility());
  });
  return (await awaitWithin(wordsTimeoutMs, answer)) === true;
}

/**
 * Reads the reactions of pages since the last step was settled.
 *
 * @throws {AutomationError} `step_failed`, with the page's words.
 */
export async function hearLate(page: Page): Promise<readonly string[]> {
  const { manner } = await watchSession(page);
  return manner === undefined ? [] : hear(page, { kind: manner, before: await identifyDocument(page) });
}

function isWrong(
  { text, role, isShown }: Message,
  { kind, isNew, hasFailed }: { kind: Manner["kind"]; isNew: boolean; hasFailed: boolean },
): boolean {
  const looks = role === "looks";
  if (kind === "leads" && isNew) return false;
  if (kind === "sets") return isShown && !looks && isFailure(text);
  if (hasFailed && !looks && !saysSuccess(text)) return true;
  if (looks) return !isNew && isShown && text.length <= most.characters && saysFailure(text);
  // What a page is opened with may ask for something by the way: only an alert is meant.
  return isNew && role === "live" ? isFailure(text) : saysFailure(text);
}

/** Returns the short texts that a page wrote after a request failed. */
function listAnswers({ texts, isOnlyText }: DocumentChanges): readonly string[] {
  const written = texts.filter(({ text, isWritten }) => isOnlyText && isWritten && /\p{L}/u.test(text));
  return written.map(({ text }) => text).filter((text) => text.length <= 100 && !saysSuccess(text));
}

/** Returns whether a text is short and states a failure. */
function isShort(text: string): boolean {
  return text.length <= 100 && saysFailure(text);
}

/** Returns whether a text begins with a demand, such as "please enter". */
function asks(text: string): boolean {
  return (
    saysFailure(text) &&
    /^(?:please|you (?:must|have to|need)|bitte|veuillez|por favor|inserire|selezionare)\b/iu.test(text)
  );
}

/** Returns whether a text outside of messages states a failure at its beginning, not in passing. */
function statesFailure(text: string): boolean {
  return (
    isFailure(text) &&
    /^(?:sorry|error|unfortunately|oops|your?|there|an|no|the|this|we|it|payment|fehler|leider|erreur|désolé|lo sentimos|errore|erro)\b|^\S+(?: \S+){0,4}$/iu.test(
      text,
    )
  );
}

function isOwnDocument({ request, kind, isOwn }: FailedRequest): boolean {
  return isOwn && (kind === "document" || (request.isNavigationRequest() && request.method() !== "GET"));
}

function isOwnWrite({ request, kind, isOwn }: FailedRequest): boolean {
  return isOwn && kind === "data" && request.method() !== "GET";
}

/** Returns whether the page still shows the document that failed: some redirect. */
function isStill(page: Page, { request, status }: FailedRequest): boolean {
  if (!isMainFrame(request) || status === undefined) return true;
  return dropHash(page.url()) === dropHash(request.url());
}

function dropHash(url: string): string {
  return url.replace(/#.*$/s, "");
}

function describe({ request, status, error }: FailedRequest): string {
  return status === undefined
    ? `the page that it led to can't be loaded: ${error}`
    : `${formatUrl(request.url())} was answered with status ${status}`;
}

function describeNote({ request, status, error }: FailedRequest): string {
  const what = `${request.method()} ${formatUrl(request.url())}`;
  return status === undefined ? `${what} failed: ${error}.` : `${what} was answered with status ${status}.`;
}

/** Describes a value that the page changed. */
function describeChanged({ label, expected, now, isSecret }: ChangedValue): string {
  if (typeof now === "boolean") return `${label} is ${now ? "checked" : "unchecked"} again`;
  if (isSecret) return `${label} does not hold the value that was set`;
  return `${label} holds${quote(now, " ")} instead of${quote(String(expected), " ")}`;
}

/** Returns the first heading of an error page, or else its text. */
async function readWords(page: Page): Promise<string> {
  const words = page.evaluate(() => {
    const heading = document.querySelector("[role=alert], h1, h2");
    return `${heading?.textContent ?? ""} ${heading ? "" : (document.body?.innerText ?? "")}`
      .replace(/\s+/g, " ")
      .trim();
  });
  return (await awaitWithin(wordsTimeoutMs, words)) ?? "";
}

function quote(text: string, before: string): string {
  return `${before}${JSON.stringify(text.slice(0, most.characters))}`;
}

function limitNotes(notes: readonly string[], what: string): readonly string[] {
  if (notes.length <= most.notes) return notes;
  return [...notes.slice(0, most.notes), `There were ${notes.length - most.notes} more ${what}.`];
}
