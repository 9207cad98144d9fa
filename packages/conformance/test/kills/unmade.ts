/** Circumstances that no request of a run is in, each with the reason. */
import type { Subject } from "./breaker.ts";

/** The reason for some subjects in some circumstances. */
interface Reason {
  readonly circumstances: readonly string[];
  readonly subjects: readonly Subject[];
  readonly why: string;
}

const sessions: readonly Subject[] = [
  "scrape",
  "scrape-invalid",
  "scrape-stranger",
  "cookies",
  "cookies-stranger",
  "replay",
  "replay-stranger",
];
const refusedRuns: readonly Subject[] = ["run-stranger", "run-refused"];

const notYet = "The suite sends no such request yet.";

/** The table. A row that does not hold any more has to go. */
export const reasons: readonly Reason[] = [
  {
    circumstances: ["query"],
    subjects: ["cookies", "replay"],
    why: "The query parameters of these operations are not shown.",
  },
  {
    circumstances: ["origin", "version"],
    subjects: ["replay"],
    why: "The extra headers of this operation are not shown.",
  },
  { circumstances: ["after-run"], subjects: [...sessions, ...refusedRuns], why: notYet },
  { circumstances: ["concurrent"], subjects: sessions, why: notYet },
  {
    circumstances: ["charset", "large", "non-ascii"],
    subjects: ["scrape-stranger", "run-stranger"],
    why: notYet,
  },
  { circumstances: ["charset", "large", "query", "non-ascii"], subjects: ["run-refused"], why: notYet },
  { circumstances: ["metadata-false", "several"], subjects: ["scrape-stranger"], why: notYet },
  { circumstances: ["kept"], subjects: refusedRuns, why: notYet },
  { circumstances: ["non-ascii"], subjects: ["run"], why: notYet },
  {
    circumstances: [
      "selector-null",
      "scrape_links-false",
      "scrape_images-false",
      "ignored_tags-null",
      "ignored_tags-empty",
      "only_main_content-false",
      "only_images-false",
      "response_format-null",
      "instructions-null",
      "instructions-empty",
      "use_link_placeholders-false",
    ],
    subjects: ["scrape-invalid"],
    why: notYet,
  },
];

/** Why a circumstance is not made; undefined when nothing says so. */
export const whyUnmade = (subject: Subject, circumstance: string): string | undefined =>
  reasons.find(({ circumstances, subjects }) => circumstances.includes(circumstance) && subjects.includes(subject))
    ?.why;
