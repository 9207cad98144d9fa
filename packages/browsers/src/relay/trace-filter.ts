import { type Fields, isFields, textOf } from "../devtools/message.ts";

/** Most text of events that may wait for it to be known whose they are, in characters. */
const mostWaiting = 64 * 2 ** 20;

/** Events of the browser process about the frames of the traced page. */
const frameEvents: ReadonlySet<unknown> = new Set([
  "TracingStartedInBrowser",
  "FrameCommittedInBrowser",
  "ProcessReadyInBrowser",
  "FrameDeletedInBrowser",
]);

/** Pictures of the page that is traced; Chromium takes them of no other one. */
const isScreenshot = ({ name, cat }: Fields): boolean =>
  name === "Screenshot" && cat === "disabled-by-default-devtools.screenshot";

/** Names of processes and threads, the same in every browser. */
const isName = ({ ph, name }: Fields): boolean => ph === "M" && (name === "process_name" || name === "thread_name");

/**
 * Keeps of a trace what is of one page. Chromium traces all of its processes, so also those of pages of other sessions.
 *
 * Kept are events of processes that render frames of the page (Chromium lets no two contexts share one), and of the browser process
 * what it says of those frames. Everything else is dropped: what is not known to be of the page is not.
 */
export class TraceFilter {
  readonly #browserPid: number;
  readonly #frames: Set<string>;
  readonly #pids = new Set<unknown>();
  readonly #ofBrowser: Fields[] = [];
  /** By process: events of which it is not known yet whether the page is there. */
  readonly #ofOthers = new Map<unknown, Fields[]>();
  #waiting = 0;
  #lost = false;

  /**
   * @param browserPid - The browser process.
   * @param mainFrameId - Main frame of the page, which is the id of its target.
   */
  constructor(browserPid: number, mainFrameId: string) {
    this.#browserPid = browserPid;
    this.#frames = new Set([mainFrameId]);
  }

  /** True when events were left out because there were too many. */
  get hasLost(): boolean {
    return this.#lost;
  }

  /**
   * Takes events as they come.
   *
   * @param size - Length of them as text.
   */
  add(events: unknown, size: number): void {
    if (!Array.isArray(events)) return;
    for (const event of events.filter(isFields)) {
      if (event["pid"] === this.#browserPid) this.#addOfBrowser(event);
      else if (this.#waiting < mostWaiting) {
        this.#waiting += size / events.length;
        const known = this.#ofOthers.get(event["pid"]);
        if (known) known.push(event);
        else this.#ofOthers.set(event["pid"], [event]);
      } else this.#lost = true;
    }
  }

  /** The events of the page, when all have come. */
  finish(): Fields[] {
    return [...this.#ofBrowser, ...[...this.#pids].flatMap((pid) => this.#ofOthers.get(pid) ?? [])];
  }

  #addOfBrowser(event: Fields): void {
    const isKept = frameEvents.has(event["name"]) ? this.#isOfPage(event) : isName(event) || isScreenshot(event);
    if (isKept) this.#ofBrowser.push(event);
  }

  #isOfPage({ name, args }: Fields): boolean {
    const data = isFields(args) && isFields(args["data"]) ? args["data"] : {};
    if (name !== "TracingStartedInBrowser") return this.#note(data);
    const frames: unknown = data["frames"];
    // Parents come before their children. One frame that is not of the page, and the event is not.
    return Array.isArray(frames) && frames.every((frame) => isFields(frame) && this.#note(frame));
  }

  /** Takes note of a frame and of its process; returns whether it is one of the page. */
  #note({ frame, parent, processId }: Fields): boolean {
    const id = textOf(frame);
    if (id === undefined || !(this.#frames.has(id) || this.#frames.has(textOf(parent) ?? ""))) return false;
    this.#frames.add(id);
    // 0 and the browser's own stand for a process that is not there yet.
    if (typeof processId === "number" && processId > 0 && processId !== this.#browserPid) this.#pids.add(processId);
    return true;
  }
}
