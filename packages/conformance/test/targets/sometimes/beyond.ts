/** Faults that the requests of one run can't show, each with the reason: what the suite does not promise to find. */
import { findOperation, listMembers } from "../messages.ts";
import { markdown } from "../content.ts";
import { correctService, fieldReaders } from "../service.ts";
import { answers, every, everyRun, after, on, reviseWhen, type SometimesTarget } from "./circumstances.ts";
import { field, of } from "../parts.ts";

/** A fault that is not found. */
export interface BeyondTarget extends SometimesTarget {
  /** Reason why it is not found. */
  readonly why: string;
}

export const beyondTargets: readonly BeyondTarget[] = [
  {
    id: "every-third-run-without-an-end",
    when: "in every third run, with two runs allowed",
    requirement: "stream.one-terminal-event",
    why: "A run is billed: the suite starts two of them at most.",
    maxRuns: 2,
    how: everyRun(3, (events) => events.slice(0, -1)),
  },
  {
    id: "every-hundredth-stranger-admitted",
    when: "every hundredth time",
    requirement: "scrape.requires-authentication",
    why: "Each request without a key is sent four times; a fault has to show every third time to be found for certain.",
    how: reviseWhen(answers(200, { markdown }), of("scrape", 403), every(100)),
  },
  {
    id: "takes-a-name-that-nobody-foresees",
    when: "for the property `berth_7`",
    requirement: "scrape.unknown-property-rejected",
    why: "Not every name can be tried: the suite tries those that are mistaken for known ones, those of other services, and random ones.",
    how: () => ({ knows: (name) => name === "berth_7" || Object.hasOwn(fieldReaders, name) }),
  },
  {
    id: "validates-no-body-of-unknown-length",
    when: "for bodies that are sent in chunks",
    requirement: "scrape.unknown-property-rejected",
    why: "Every body is sent with its length.",
    how: () => ({
      problems: (found, request) =>
        request.headers["transfer-encoding"] === "chunked" && request.body !== "" ? [] : found,
    }),
  },
  {
    id: "refuses-every-key-at-the-automation",
    when: "for the key that is given",
    requirement: "auth.automation.bearer-header",
    why: "A key may be right for sessions and wrong for runs: the run of the suite is unfinished, with exit code 3.",
    how: () => ({ admits: (request) => findOperation(request) !== "automation" && correctService.admits(request) }),
  },
  {
    id: "hangs-up-on-a-property-proto",
    when: "for the property `__proto__`",
    requirement: "scrape.unknown-property-rejected",
    why: "A broken connection may be the network's fault: the run of the suite is unfinished, with exit code 3.",
    how: reviseWhen(
      () => ({ status: 422, headers: {}, pieces: [], afterwards: "reset" }),
      of("scrape", 422),
      ({ body }) => body.startsWith('{"__proto__"'),
    ),
  },
  {
    id: "three-options-that-do-not-go-together",
    when: "for one of 900 combinations of three options",
    requirement: "scrape.response.markdown.type",
    why: "Options are combined by twos.",
    how: reviseWhen(
      field("markdown", null),
      of("scrape", 200),
      on("only_images", "use_link_placeholders"),
      (request) => listMembers(request).get("instructions") === "",
    ),
  },
  {
    id: "markdown-missing-under-load",
    when: "after a thousand scrapes",
    requirement: "scrape.response.markdown.required",
    why: "A run sends no more than 300 requests.",
    how: reviseWhen(field("markdown"), of("scrape", 200), after(1_000)),
  },
];
