/** Faults that the requests of one run can't show, each with the reason: what the suite does not promise to find. */
import { after, every } from "../circumstances.ts";
import { has, inBody, isText, isTrue } from "../conditions.ts";
import { instead, inTurn, reset, set } from "../changes.ts";
import { markdown } from "../content.ts";
import { breakAnswers, breakService, type Fault } from "../fault.ts";
import { empty, findOperation, json } from "../messages.ts";
import { correctService, fieldReaders } from "../service.ts";
import { drop } from "../stream-changes.ts";

/** The circumstance of each fault, and the reason why it is not found. */
const reasons: Readonly<Record<string, readonly [when: string, why: string]>> = {
  "every-third-run-without-an-end": [
    "in every third run, with two runs allowed",
    "A run is billed: the suite starts two of them at most.",
  ],
  "every-hundredth-stranger-admitted": [
    "every hundredth time",
    "Each request without a key is sent four times; a fault has to show every third time to be found for certain.",
  ],
  "takes-a-name-that-nobody-foresees": [
    "for the property `berth_7`",
    "Not every name can be tried: the suite tries those that are mistaken for known ones, those of other services, and random ones.",
  ],
  "validates-no-body-of-unknown-length": ["for bodies that are sent in chunks", "Every body is sent with its length."],
  "refuses-every-key-at-the-automation": [
    "for the key that is given",
    "A key may be right for sessions and wrong for runs: the run of the suite is unfinished, with exit code 3.",
  ],
  "hangs-up-on-a-property-proto": [
    "for the property `__proto__`",
    "A broken connection may be the network's fault: the run of the suite is unfinished, with exit code 3.",
  ],
  "three-options-that-do-not-go-together": [
    "for one of 900 combinations of three options",
    "Options are combined by twos.",
  ],
  "markdown-missing-under-load": ["after a thousand scrapes", "A run sends no more than 300 requests."],
};

const faults: readonly Fault[] = [
  ...breakAnswers(
    "run",
    { "stream.one-terminal-event every-third-run-without-an-end": [drop(), every(3)] },
    { maxRuns: 2 },
  ),
  ...breakAnswers("scrape-stranger", {
    "scrape.requires-authentication every-hundredth-stranger-admitted": [instead(json(200, { markdown })), every(100)],
  }),
  ...breakService({
    "scrape.unknown-property-rejected": {
      "takes-a-name-that-nobody-foresees": {
        knows: (name) => name === "berth_7" || Object.hasOwn(fieldReaders, name),
      },
      "validates-no-body-of-unknown-length": {
        problems: (found, { headers, body }) =>
          headers["transfer-encoding"] === "chunked" && body !== "" ? [] : found,
      },
    },
    "auth.automation.bearer-header refuses-every-key-at-the-automation": {
      admits: (request) => findOperation(request) !== "automation" && correctService.admits(request),
    },
  }),
  ...breakAnswers("scrape-invalid", {
    "scrape.unknown-property-rejected hangs-up-on-a-property-proto": [
      inTurn(instead(empty(422)), reset),
      inBody(/^\{"__proto__"/),
    ],
  }),
  ...breakAnswers("scrape", {
    "scrape.response.markdown.type three-options-that-do-not-go-together": [
      set("markdown", null),
      has("only_images", isTrue),
      has("use_link_placeholders", isTrue),
      has("instructions", isText(/^$/)),
    ],
    "scrape.response.markdown.required markdown-missing-under-load": [set("markdown"), after(1_000)],
  }),
];

export const beyondFaults: readonly Fault[] = faults.map((fault) => {
  const [when = "", why = ""] = reasons[fault.id] ?? [];
  return Object.assign({}, fault, { when, why });
});
