/** Faults that the requests of one run can't show, each with the reason: what the suite does not promise to find. */
import { after, every } from "../circumstances.ts";
import { has, inBody, isText, isTrue } from "../conditions.ts";
import { instead, set } from "../changes.ts";
import { markdown } from "../content.ts";
import { breakAnswers, breakService, type Fault } from "../fault.ts";
import { findOperation, json } from "../messages.ts";
import { correctService, fieldReaders } from "../service.ts";
import { drop } from "../stream-changes.ts";

export const beyondFaults: readonly Fault[] = [
  ...breakAnswers(
    "run",
    { "stream.one-terminal-event": { "every-third-run-without-an-end": [drop(), every(3)] } },
    {
      when: "in every third run, with two runs allowed",
      why: "A run is billed: the suite starts two of them at most.",
      maxRuns: 2,
    },
  ),
  ...breakAnswers(
    "scrape-stranger",
    {
      "scrape.requires-authentication": {
        "every-hundredth-stranger-admitted": [instead(json(200, { markdown })), every(100)],
      },
    },
    {
      when: "every hundredth time",
      why: "Each request without a key is sent four times; a fault has to show every third time to be found for certain.",
    },
  ),
  ...breakService(
    {
      "scrape.unknown-property-rejected takes-a-name-that-nobody-foresees": {
        knows: (name) => name === "berth_7" || Object.hasOwn(fieldReaders, name),
      },
    },
    {
      when: "for the property `berth_7`",
      why: "Not every name can be tried: the suite tries those that are mistaken for known ones, those of other services, and random ones.",
    },
  ),
  ...breakService(
    {
      "scrape.unknown-property-rejected validates-no-body-of-unknown-length": {
        problems: (found, { headers, body }) =>
          headers["transfer-encoding"] === "chunked" && body !== "" ? [] : found,
      },
    },
    { when: "for bodies that are sent in chunks", why: "Every body is sent with its length." },
  ),
  ...breakService(
    {
      "auth.automation.bearer-header refuses-every-key-at-the-automation": {
        admits: (request) => findOperation(request) !== "automation" && correctService.admits(request),
      },
    },
    {
      when: "for the key that is given",
      why: "A key may be right for sessions and wrong for runs: the run of the suite is unfinished, with exit code 3.",
    },
  ),
  ...breakAnswers(
    "scrape-invalid",
    {
      "scrape.unknown-property-rejected hangs-up-on-a-property-proto": [
        instead({ status: 422, headers: {}, pieces: [], afterwards: "reset" }),
        inBody(/^\{"__proto__"/),
      ],
    },
    {
      when: "for the property `__proto__`",
      why: "A broken connection may be the network's fault: the run of the suite is unfinished, with exit code 3.",
    },
  ),
  ...breakAnswers(
    "scrape",
    {
      "scrape.response.markdown.type three-options-that-do-not-go-together": [
        set("markdown", null),
        has("only_images", isTrue),
        has("use_link_placeholders", isTrue),
        has("instructions", isText(/^$/)),
      ],
    },
    { when: "for one of 900 combinations of three options", why: "Options are combined by twos." },
  ),
  ...breakAnswers(
    "scrape",
    { "scrape.response.markdown.required": { "markdown-missing-under-load": [set("markdown"), after(1_000)] } },
    { when: "after a thousand scrapes", why: "A run sends no more than 300 requests." },
  ),
];
