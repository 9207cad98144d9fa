import type { IncomingMessage, ServerResponse } from "node:http";
import { AutomationError } from "../../src/automation-error.ts";
import { Planner } from "../../src/planner/planner.ts";
import { startSite, type SitePage } from "@cloud-browser/testing/site.ts";
import type { TestBrowsers } from "../functions/workplace.ts";

/** A page of a case: its HTML, or what answers for it; `say` notes what the site was sent. */
export type CasePage =
  | string
  | ((request: IncomingMessage, response: ServerResponse, say: (text: string) => void) => void);

/** What came of a task. */
export interface Outcome {
  readonly end: "done" | "error";
  /** Message of the error, notes and results of the steps. */
  readonly report: string;
  readonly data: unknown;
  /** What the server of the site was sent, in its order. */
  readonly messages: readonly string[];
}

/** A task on pages of its own, and what is right. */
export interface Case {
  readonly name: string;
  readonly pages: Readonly<Record<string, CasePage>>;
  /** `{url}` stands for the address of the site; the task begins at its page `/`. */
  readonly task: string;
  readonly right: (outcome: Outcome) => boolean;
}

const script = `<!doctype html><meta charset=utf-8><script>
  const say = (text) => fetch("/say?" + encodeURIComponent(text), { method: "POST" });
  const after = (ms, then) => setTimeout(then, ms);
  const get = (path, then) => fetch(path).then((answer) => answer.text()).then(then);
</script><title>Case</title>`;

/** Performs the task of a case with the planner, on a site of its own. */
export async function runCase(browsers: TestBrowsers, { pages, task }: Case): Promise<Outcome> {
  const messages: string[] = [];
  const sitePages: Record<string, SitePage> = {
    "/say": (request, response) => {
      messages.push(decodeURIComponent((request.url ?? "").split("?")[1] ?? ""));
      response.end();
    },
  };
  for (const [path, page] of Object.entries(pages)) {
    sitePages[path] =
      typeof page === "string"
        ? (_, response) =>
            void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(script + page)
        : (request, response) => page(request, response, (text) => void messages.push(text));
  }
  await using site = await startSite(sitePages);
  await using place = await browsers.openPlace();
  const joinContents = (): string => place.events.map((event) => ("content" in event ? event.content : "")).join(" ");
  try {
    const words = task.replaceAll("{url}", site.url);
    const work = await new Planner().work(`Open ${site.url}/, ${words}`, place.workplace);
    const notes = "notes" in work && Array.isArray(work.notes) ? work.notes.join(" ") : "";
    await place.pooled.close(); // as the service does at the end of a run
    const values = Object.values(work.data);
    return { end: "done", report: `${joinContents()} ${notes}`, data: values[0], messages: [...messages] };
  } catch (error) {
    if (!(error instanceof AutomationError)) throw error;
    return { end: "error", report: `${joinContents()} ${error.message}`, data: undefined, messages: [...messages] };
  }
}

/** Right when the run fails, and says why. */
export function fails(words: RegExp, messages?: readonly string[]): Case["right"] {
  return (outcome) =>
    outcome.end === "error" &&
    words.test(outcome.report) &&
    (messages === undefined || outcome.messages.join("|") === messages.join("|"));
}

/** Right when the run is done, and the site was sent exactly this. */
export function sends(...texts: readonly string[]): Case["right"] {
  return ({ end, messages }) => end === "done" && messages.join("|") === texts.join("|");
}

/** Right when the run is done, and tells something. */
export function tells(words: RegExp, ...texts: readonly string[]): Case["right"] {
  return (outcome) => sends(...texts)(outcome) && words.test(outcome.report);
}

/** Right when the run is done, and its data is this. */
export function gives(value: unknown): Case["right"] {
  return ({ end, data }) => end === "done" && JSON.stringify(data) === JSON.stringify(value);
}

/** Right when the run is done with so many rows. */
export function givesRows(count: number): Case["right"] {
  return ({ end, data, report }) =>
    end === "done" && Array.isArray(data) && data.length === count && !/This is a part/.test(report);
}

/** Right when the run says that its data is a part, or fails. */
export function givesPart(words: RegExp): Case["right"] {
  return ({ end, report }) => end === "error" || words.test(report);
}

/** Answers a form: notes its fields, and answers with a status and a page. */
export function answer(status: number, html: string, location?: string): CasePage {
  return (request, response, say) => {
    let body = "";
    request.on("data", (chunk: Buffer) => void (body += chunk.toString()));
    request.on("end", () => {
      say(body === "" ? `${request.method} ${request.url}` : decodeURIComponent(body.replaceAll("+", " ")));
      const headers = { "content-type": "text/html; charset=utf-8", ...(location === undefined ? {} : { location }) };
      response.writeHead(status, headers).end(html);
    });
  };
}

/** Answers with a text after a time, in milliseconds. */
export function late(ms: number, text: string, status = 200): CasePage {
  return (_, response) =>
    void setTimeout(() => response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(text), ms);
}
