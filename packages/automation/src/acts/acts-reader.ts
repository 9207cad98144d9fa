import { isDeepStrictEqual } from "node:util";
import type { DialogAnswer } from "../page/dialog-answer.ts";
import type { Step, Variable } from "../task/step.ts";
import { escapeTemplate } from "../task/template.ts";
import { refuseAct, type ActRefusal, type ActRefusalCode } from "./act-refusal.ts";
import type { RecordedEntry } from "./recorded-entry.ts";
import { RecordedTabs } from "./recorded-tabs.ts";
import { RecordedVariables } from "./recorded-variables.ts";
import { convertAct } from "./step-of-act.ts";

type Entry<Kind extends RecordedEntry["kind"]> = Extract<RecordedEntry, { kind: Kind }>;

/** A step, with the tab and the time of the entry that it was made of. */
interface ReadStep {
  step: Step;
  readonly tab: number;
  readonly atMs: number;
}

/** Time after an act within which a navigation, tab or dialog counts as its effect, in milliseconds. */
const effectMs = 5_000;
/** Most steps of a function. */
const maxSteps = 500;

/** Reads the entries of a session in order, and converts those in a range to steps. */
export class ActsReader {
  /** Actor of the range; undefined before the first act. */
  actor: "person" | "client" | undefined;
  readonly #tabs = new RecordedTabs();
  readonly #variables = new RecordedVariables();
  readonly #steps: ReadStep[] = [];
  readonly #refusals: ActRefusal[] = [];
  /** Open dialogs by tab, each with the step that opened it. */
  readonly #dialogs = new Map<number, { readonly entry: Entry<"dialog">; readonly cause: ReadStep | undefined }>();
  #hasBegun = false;

  /** The steps so far. */
  get steps(): readonly Step[] {
    return this.#steps.map(({ step }) => step);
  }

  /** The variables in the steps. */
  get variables(): readonly Variable[] {
    return this.#variables.all;
  }

  /** Reads an entry before the range, to know the state of the tabs where the range begins. */
  skip(entry: RecordedEntry): void {
    const tab = this.#tabs.get(entry.tab);
    if (entry.kind === "navigation") this.#arrive(entry);
    else if (entry.kind === "tab-closed") this.#tabs.close(entry.tab);
    else if (entry.kind === "act" && entry.act !== "scroll") tab.changedBy = entry.seq;
    else if (entry.kind === "gap" || (entry.kind === "run-step" && !entry.isOpening)) this.#tabs.changeAll(entry.seq);
  }

  /** Notes that entries are missing before an entry. */
  miss(seq: number, isInRange: boolean): void {
    if (isInRange) this.refuse(seq, "gap");
    else this.#tabs.changeAll(seq);
  }

  /** Adds a reason why no function is made. @param seq - Number of the entry; null when the reason concerns no single entry. */
  refuse(seq: number | null, code: ActRefusalCode): void {
    this.#refusals.push(refuseAct(seq, code));
  }

  /** Ends the range; returns why no function is made of it. */
  end(): readonly ActRefusal[] {
    for (const { entry, cause } of this.#dialogs.values())
      if (cause && entry.type !== "alert") this.refuse(entry.seq, "unanswered-dialog");
    if (this.#steps.length > maxSteps) this.refuse(null, "too-many-steps");
    return this.#refusals;
  }

  /** Reads an entry of the range. */
  read(entry: RecordedEntry): void {
    switch (entry.kind) {
      case "act":
        return this.#act(entry);
      case "navigation":
        return this.#navigate(entry);
      case "tab-opened":
        return this.#openTab(entry);
      case "tab-closed":
        return this.#closeTab(entry);
      case "dialog":
        return this.#showDialog(entry);
      case "dialog-closed":
        return this.#answerDialog(entry);
      case "run-step":
        return this.refuse(entry.seq, "run-in-range");
      case "gap":
        return this.refuse(entry.seq, "gap");
      case "end":
      case "other":
        return undefined;
    }
  }

  /** Notes the actor of an entry; refuses a second actor. */
  #noteActor({ seq, by }: RecordedEntry): void {
    if (by === "run") return this.refuse(seq, "run-in-range");
    if (by !== "person" && by !== "client") return;
    if (this.actor !== undefined && this.actor !== by) this.refuse(seq, "two-actors");
    this.actor ??= by;
  }

  #act(entry: Entry<"act">): void {
    this.#noteActor(entry);
    const { seq, tab, atMs } = entry;
    const done = convertAct(entry, this.#variables);
    if ("isNothing" in done) return;
    this.#useTab(entry);
    if ("code" in done) return this.refuse(seq, done.code);
    if (!this.#fillAgain(done.step, tab)) this.#steps.push({ step: done.step, tab, atMs });
  }

  /**
   * Merges a fill into the previous step if that filled the same field: the earlier value is no variable of its own. Returns whether it
   * did.
   */
  #fillAgain(step: Step, tab: number): boolean {
    const last = this.#steps.at(-1);
    if (step.action !== "fill" || last?.step.action !== "fill" || last.tab !== tab || last.step.dialogs) return false;
    if (!isDeepStrictEqual(last.step.target, step.target)) return false;
    last.step = { ...step, value: this.#variables.replace(last.step.value, step.value) };
    return true;
  }

  /** Opens the page of the first act of the range; before each further act, adds a step that chooses its tab when that is another one. */
  #useTab({ seq, tab, atMs }: RecordedEntry, opens = false): void {
    const tabState = this.#tabs.get(tab);
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#tabs.add(tab);
      this.#tabs.current = tab;
      if (opens) return;
      if (tabState.changedBy !== undefined) return this.refuse(seq, "starts-within-page");
      if (!tabState.address) return this.refuse(seq, "no-address");
      tabState.visited.push(tabState.address.url);
      return this.#open(seq, tab, atMs, tabState.address);
    }
    if (tabState.number === undefined) return this.refuse(seq, "tab-outside-range");
    if (this.#tabs.current === tab) return;
    this.#tabs.current = tab;
    this.#steps.push({ step: { action: "tab", tab: tabState.number, does: "choose" }, tab, atMs });
  }

  #open(seq: number, tab: number, atMs: number, address: Entry<"navigation">["address"]): void {
    if (!/^https?:\/\//i.test(address.url))
      return this.refuse(seq, address.url.startsWith("chrome-error:") ? "failed-page" : "unopenable-address");
    this.#steps.push({ step: { action: "open", url: this.#variables.parameterizeAddress(address) }, tab, atMs });
  }

  /** Notes the address of a tab after a navigation. */
  #arrive({ tab, address, sameDocument, via, requested }: Entry<"navigation">): void {
    const tabState = this.#tabs.get(tab);
    tabState.address = via === "address" && requested ? requested : address;
    if (!sameDocument) tabState.changedBy = undefined;
  }

  #navigate(entry: Entry<"navigation">): void {
    const { seq, tab, by, atMs, via, address, requested } = entry;
    if (by === "run") return this.refuse(seq, "run-in-range");
    if (via !== undefined) {
      this.#noteActor(entry);
      this.#useTab(entry, via === "address");
      if (via === "address") this.#open(seq, tab, atMs, requested ?? address);
      else this.#goInHistory(entry, via);
    } else if (this.#hasBegun && by !== "page" && !this.#hasCause(entry)) this.refuse(seq, "unknown-cause");
    if (address.url.startsWith("chrome-error:") && via !== "address" && this.#hasBegun) this.refuse(seq, "failed-page");
    this.#arrive(entry);
    if (this.#hasBegun && via !== "back" && address.url !== "about:blank")
      this.#tabs.get(tab).visited.push(address.url);
  }

  #goInHistory({ seq, tab, atMs, address }: Entry<"navigation">, how: "back" | "forward" | "reload" | "history"): void {
    if (how !== "back") return this.refuse(seq, how === "history" ? "history-jump" : how);
    const { visited } = this.#tabs.get(tab);
    const place = visited.lastIndexOf(address.url, visited.length - 2);
    if (visited.length < 2 || place < 0) return this.refuse(seq, "history-beyond-range");
    visited.splice(place + 1);
    this.#steps.push({ step: { action: "back" }, tab, atMs });
  }

  /** Returns whether a step within `effectMs` before an entry, in its tab or the tab that opened it, can be its cause. */
  #hasCause({ tab, atMs }: RecordedEntry, opener = tab): boolean {
    const last = this.#steps.findLast((one) => one.tab === tab || one.tab === opener);
    const isNew = last === undefined && this.#steps.length > 0;
    const cause = isNew ? this.#steps.at(-1) : last;
    return cause !== undefined && atMs - cause.atMs <= effectMs;
  }

  #openTab(entry: Entry<"tab-opened">): void {
    const { seq, tab, by, opener } = entry;
    if (!this.#hasBegun) return void this.#tabs.get(tab);
    if (by === "page") return this.refuse(seq, "tab-by-page");
    if (by === "run") return this.refuse(seq, "run-in-range");
    if (opener === undefined) return this.refuse(seq, "tab-without-act");
    if (!this.#hasCause(entry, opener)) return this.refuse(seq, "unknown-cause");
    this.#tabs.add(tab);
    this.#tabs.current = undefined;
  }

  #closeTab(entry: Entry<"tab-closed">): void {
    const { seq, tab, atMs, isAsked } = entry;
    const closed = this.#tabs.close(tab);
    if (!closed) return;
    if (closed.isLast) return this.refuse(seq, "last-tab-closed");
    if (!isAsked) return;
    this.#noteActor(entry);
    this.#steps.push({ step: { action: "tab", tab: closed.number, does: "close" }, tab, atMs });
  }

  #showDialog(entry: Entry<"dialog">): void {
    const cause = this.#steps.findLast(({ tab }) => tab === entry.tab);
    const isCause = cause !== undefined && entry.atMs - cause.atMs <= effectMs;
    this.#dialogs.set(entry.tab, { entry, cause: isCause ? cause : undefined });
    if (this.#hasBegun && !isCause && entry.type !== "alert") this.refuse(entry.seq, "late-dialog");
  }

  #answerDialog(closed: Entry<"dialog-closed">): void {
    const { entry, cause } = this.#dialogs.get(closed.tab) ?? {};
    this.#dialogs.delete(closed.tab);
    if (!entry || !cause || !isAnswered(entry.type)) return;
    if (closed.by === "person" || closed.by === "client") this.#noteActor(closed);
    const { type, message, seq } = entry;
    if (message === null) return this.refuse(seq, "unknown-dialog");
    const text = type === "prompt" && closed.accepted ? { text: this.#variables.add(message, null) } : {};
    const answer: DialogAnswer = { type, message: escapeTemplate(message), accept: closed.accepted, ...text };
    cause.step = { ...cause.step, dialogs: [...(cause.step.dialogs ?? []), answer] };
  }
}

function isAnswered(type: string): type is DialogAnswer["type"] {
  return type === "confirm" || type === "prompt" || type === "beforeunload";
}
