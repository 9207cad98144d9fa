import { answerError } from "../../../packages/service/src/http/problems.ts";
import { ServiceError, type ServiceErrorCode } from "../../../packages/service/src/service-error.ts";
import { clientRemedies } from "../../remedies/client-errors.ts";
import { automationRemedies, serviceRemedies } from "../../remedies/service-errors.ts";
import { outcomeRemedies, streamRemedies } from "../../remedies/stream-errors.ts";
import { contractRemedies, suiteRemedies } from "../../remedies/suite-errors.ts";
import { prose, table } from "../markdown.ts";
import type { SitePage } from "../page.ts";
import { readText } from "../repository-pages.ts";
import { readMeanings } from "./code-meanings.ts";

/** A family of errors: the file whose docstring says what each code means, and what to do about each. */
interface Family {
  readonly slug: string;
  readonly title: string;
  readonly lead: string;
  readonly file: string;
  readonly remedies: Readonly<Record<string, string>>;
  /** Returns further text about a code, in Markdown. */
  readonly more?: (code: string) => string;
}

/** Codes of a package that the service is made of: those of the service, so that what to do about them is said once. */
const parts = (own: readonly ServiceErrorCode[]): Readonly<Record<string, string>> =>
  Object.fromEntries(own.map((code) => [code, `As for the service: [${code}](/errors/service/#${code}).`]));

const families: readonly Family[] = [
  {
    slug: "client",
    title: "Errors of the client",
    lead: "A call of `@cloud-browser/client` ends with a `ClientError`, whose `code` is one of these. `retryable` says whether the same call may succeed later, and is safe to repeat.",
    file: "packages/client/src/errors/client-error.ts",
    remedies: clientRemedies,
  },
  {
    slug: "stream",
    title: "Errors of the stream",
    lead: "Reading an event stream ends with a `StreamError` when no terminal event came; `code` is one of these. How a stream can end at all: [outcomes](/errors/outcomes/).",
    file: "packages/stream/src/errors/stream-error.ts",
    remedies: streamRemedies,
  },
  {
    slug: "service",
    title: "Errors of the service",
    lead: 'The service answers a request that fails with `{"detail": …}` and the status of one of these codes; the command line exits with 2 for `usage` and 3 for all others. The interface leaves most of these statuses open: other services may answer otherwise.',
    file: "packages/service/src/service-error.ts",
    remedies: serviceRemedies,
    more: describeAnswer,
  },
  {
    slug: "automation",
    title: "Errors of automations",
    lead: "A run of this repository's service that fails ends with an `error` event, whose `error` is one of these codes. The interface does not show the set of values: other services have others.",
    file: "packages/automation/src/automation-error.ts",
    remedies: automationRemedies,
  },
  {
    slug: "conformance",
    title: "Errors of the suite",
    lead: "Failures of the suite itself, which are never a verdict on the target: a `SuiteError` with one of these codes, and exit code 2 or 3. What a failed *check* means stands on [its page](/checks/).",
    file: "packages/conformance/src/http/suite-error.ts",
    remedies: suiteRemedies,
  },
  {
    slug: "contract-diff",
    title: "Errors of the contract comparison",
    lead: "A contract that can't be compared is refused with a `ContractError`.",
    file: "packages/contract-diff/src/contract-error.ts",
    remedies: contractRemedies,
  },
  {
    slug: "browsers",
    title: "Errors of browsers",
    lead: "`@cloud-browser/browsers` throws a `BrowserError`.",
    file: "packages/browsers/src/browser-error.ts",
    remedies: parts(["usage", "browser-missing", "busy", "page-failed", "address-refused"]),
  },
  {
    slug: "recorder",
    title: "Errors of the recorder",
    lead: "`@cloud-browser/recorder` throws a `RecorderError`.",
    file: "packages/recorder/src/recorder-error.ts",
    remedies: parts([
      "usage",
      "encoder-missing",
      "recording-not-ready",
      "recording-deleted",
      "recording-delayed",
      "recording-empty",
      "recording-failed",
      "storage-failed",
      "unknown-session",
    ]),
  },
  {
    slug: "page-content",
    title: "Errors of page content",
    lead: "`@cloud-browser/page-content` throws a `PageContentError`.",
    file: "packages/page-content/src/page-content-error.ts",
    remedies: parts(["usage", "busy", "page-failed", "bad-selector"]),
  },
];

/** Returns the pages of all errors, with cause and remedy of each code, and of the outcomes of a stream. */
export function makeErrorPages(): SitePage[] {
  return [makeErrorsPage(), ...families.map(makeFamilyPage), makeOutcomesPage()];
}

function makeErrorsPage(): SitePage {
  return {
    slug: "errors",
    title: "Errors",
    description: "Every error code of every package, what causes it, and what to do.",
    body: [
      "Each package has one family of errors, with a `code` from a closed list. Look the code up here; messages are for people, and may change.",
      table(
        ["errors of", "codes"],
        families.map(({ slug, title, remedies }) => [
          `[${title.replace("Errors of ", "")}](/errors/${slug}/)`,
          Object.keys(remedies)
            .map((code) => `[\`${code}\`](/errors/${slug}/#${code})`)
            .join(", "),
        ]),
      ),
      "How an event stream can end is on a page of its own: [outcomes](/errors/outcomes/). A failed check of the suite has [its page](/checks/), too.",
    ].join("\n\n"),
  };
}

function makeFamilyPage({ slug, title, lead, file, remedies, more = () => "" }: Family): SitePage {
  const meanings = readMeanings(readText(file));
  const codes = Object.keys(remedies);
  const unlike = [
    ...codes.filter((code) => !meanings.has(code)),
    ...[...meanings.keys()].filter((code) => !codes.includes(code)),
  ];
  if (unlike.length > 0)
    throw new Error(`${file} and the remedies of ${slug} do not have the same codes: ${unlike.join(", ")}`);
  const sections = [...meanings].map(([code, cause]) =>
    [`## ${code}`, `**Cause.** ${prose(sentence(cause))}`, `**Remedy.** ${remedies[code] ?? ""}`, more(code)]
      .filter((part) => part !== "")
      .join("\n\n"),
  );
  return {
    slug: `errors/${slug}`,
    title,
    description: `Every code of ${title.replace("Errors", "the errors")}, with cause and remedy.`,
    body: [lead, ...sections].join("\n\n"),
  };
}

function makeOutcomesPage(): SitePage {
  const sections = Object.entries(outcomeRemedies).map(
    ([type, { means, remedy }]) => `## ${type}\n\n**Meaning.** ${means}\n\n**Remedy.** ${remedy}`,
  );
  return {
    slug: "errors/outcomes",
    title: "Outcomes of a stream",
    description: "The six ways in which reading an automation's event stream ends, and what to do after each.",
    body: [
      "`outcome.type` is one of six. The first four are the terminal events of the interface; after `broken` and `left` the run may still be running, and be billed.",
      ...sections,
    ].join("\n\n"),
  };
}

/** Describes the status of a code, and its `Retry-After`. */
function describeAnswer(code: string): string {
  if (!isServiceCode(code)) return "";
  const response = answerError(new ServiceError(code, ""));
  const wait = response?.headers.get("retry-after");
  return `**Answer.** Status ${response?.status ?? "unknown"}${wait ? `, \`Retry-After: ${wait}\` where no better time is known` : ""}.`;
}

function isServiceCode(code: string): code is ServiceErrorCode {
  return Object.hasOwn(serviceRemedies, code);
}

function sentence(words: string): string {
  const begun = /^[a-z]/.test(words) ? `${words[0]?.toUpperCase()}${words.slice(1)}` : words;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
