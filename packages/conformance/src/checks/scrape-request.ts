import { blamedFields, judgeAccepted, judgeRejected } from "../answers.ts";
import { nothingSeen, verdict, type Check, type Judgement, type Probe } from "../check.ts";
import type { Exchange } from "../exchange.ts";

/** What a request field takes, and what no reading can make it take: a lenient server may read 1 or "true" as a boolean. */
interface RequestField {
  readonly name: string;
  readonly valid: readonly unknown[];
  readonly wrong: readonly unknown[];
}

const booleans = { valid: [true, false], wrong: [{}, ["no boolean"]] };
const format = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };

const requestFields: readonly RequestField[] = [
  { name: "selector", valid: ["body", null], wrong: [{ css: "body" }, ["body"]] },
  { name: "scrape_links", ...booleans },
  { name: "scrape_images", ...booleans },
  { name: "ignored_tags", valid: [["nav", "footer"], [], null], wrong: [{ tag: "nav" }] },
  { name: "only_main_content", ...booleans },
  { name: "only_images", ...booleans },
  { name: "response_format", valid: [format, null], wrong: [] },
  { name: "instructions", valid: ["Keep the title as it is written.", null], wrong: [{ text: "x" }, ["x"]] },
  { name: "use_link_placeholders", ...booleans },
];

/** Names that the request does not know: a stranger, the beginning of a real one, and one that objects inherit. */
const unknownProperties = ["conformance_unknown", "only_image", "constructor"];

function probe(name: string, body?: unknown, query = "", headers?: Readonly<Record<string, string>>): Probe {
  return {
    id: `scrape/${name}`,
    operation: "page_scrape",
    needs: ["open-session"],
    startsRun: false,
    request: ({ sessionId }) => ({
      method: "POST",
      path: `/sessions/${encodeURIComponent(sessionId)}/page/scrape${query}`,
      credentials: "key",
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  };
}

const validProbe = (field: RequestField, at: number): string => `with-${field.name}-${at + 1}`;
const wrongProbe = (field: RequestField, at: number): string => `with-wrong-${field.name}-${at + 1}`;

/** Requests that a conforming target answers with 200. Source: ours. */
export const acceptedScrapeProbes: readonly Probe[] = [
  probe("defaults", {}),
  ...requestFields.flatMap((field) =>
    field.valid.map((value, at) => probe(validProbe(field, at), { [field.name]: value })),
  ),
  probe("update-metadata-true", {}, "?update_metadata=true"),
  probe("update-metadata-false", {}, "?update_metadata=false"),
  probe("with-request-origin", {}, "", { "x-service-request-origin": "conformance" }),
  probe("with-sdk-version", {}, "", { "x-service-sdk-version": "1.0.0" }),
];

/** Requests that a conforming target answers with 422. Source: ours. */
export const rejectedScrapeProbes: readonly Probe[] = [
  ...requestFields.flatMap((field) =>
    field.wrong.map((value, at) => probe(wrongProbe(field, at), { [field.name]: value })),
  ),
  probe("with-wrong-ignored_tags-items", { ignored_tags: [{ tag: "nav" }] }),
  ...unknownProperties.map((name) => probe(`with-unknown-${name}`, { [name]: true })),
  probe("without-body"),
  probe("with-array-body", []),
  probe("update-metadata-wrong", {}, "?update_metadata=neither"),
];

const base = { operation: "page_scrape", needs: [], level: "stated" } as const;

/** A scrape without options shows at once that no field is needed. A field that is missed is blamed for it by name. */
const optionalChecks = requestFields.map(({ name }): Check => {
  const requirement = `scrape.request.${name}.optional`;
  return {
    ...base,
    id: `scrape/${name}-optional`,
    title: `\`${name}\` may be left out.`,
    requirements: [requirement],
    probes: ["scrape/defaults"],
    judge: (exchange) => {
      const blamed = blamedFields(exchange).includes(name);
      if (exchange.response?.status !== 200 && !blamed)
        return nothingSeen("The scrape without options did not succeed.");
      const [expected, received] = [`200 without \`${name}\``, "422, which blames it"];
      return verdict(!blamed, { requirement, where: "status", expected, received });
    },
  };
});

const acceptChecks = requestFields.map((field): Check => {
  const requirement = `scrape.request.${field.name}.type`;
  return {
    ...base,
    id: `scrape/accepts-${field.name}`,
    title: `Every kind of value that \`${field.name}\` may have is accepted.`,
    requirements: [requirement],
    probes: field.valid.map((_, at) => `scrape/${validProbe(field, at)}`),
    judge: (exchange) => {
      const blamed = blamedFields(exchange);
      const other = blamed.length > 0 && !blamed.includes(field.name);
      return other ? nothingSeen(`It was rejected for ${blamed.join(", ")}.`) : judgeAccepted(exchange, requirement);
    },
  };
});

type Requirements = readonly [main: string, ...also: string[]];

/** A check on the status of requests. The first requirement is the one that a finding names. */
function statusCheck(
  name: string,
  title: string,
  requirements: Requirements,
  probes: readonly string[],
  judge: (exchange: Exchange, requirement: string) => Judgement,
): Check {
  return {
    ...base,
    id: `scrape/${name}`,
    title,
    requirements,
    probes: probes.map((id) => `scrape/${id}`),
    judge: (exchange) => judge(exchange, requirements[0]),
  };
}

function rejects(
  name: string,
  title: string,
  requirements: Requirements,
  probes: readonly string[],
  what: string,
): Check {
  return statusCheck(name, title, requirements, probes, (exchange, requirement) =>
    judgeRejected(exchange, 422, requirement, what),
  );
}

function accepts(name: string, title: string, requirements: Requirements, probes: readonly string[]): Check {
  return statusCheck(name, title, requirements, probes, judgeAccepted);
}

const wrongTypeChecks = requestFields
  .filter((field) => field.wrong.length > 0)
  .map((field) =>
    rejects(
      `rejects-wrong-${field.name}`,
      `A wrong type of \`${field.name}\` is rejected with 422.`,
      [`scrape.request.${field.name}.type`],
      field.wrong.map((_, at) => wrongProbe(field, at)),
      `a wrong type of \`${field.name}\``,
    ),
  );

/** What a page scrape takes. Source: interface § Endpoints, § Resources and their fields. */
export const scrapeRequestChecks: readonly Check[] = [
  {
    ...base,
    id: "scrape/status-200",
    title: "A scrape without options is answered with 200.",
    requirements: [
      "scrape.status-200",
      "address.base_url",
      "auth.session.bearer-header",
      "scrape.header.x-service-request-origin.optional",
      "scrape.header.x-service-sdk-version.optional",
      "scrape.method-and-path",
      "scrape.request.body-is-json",
      "scrape.request.content-type",
      "scrape.update_metadata.optional",
      "service.offers-scrape",
      "version.no-path-segment",
    ],
    probes: ["scrape/defaults"],
    judge: (exchange) => {
      const blamed = blamedFields(exchange).find((name) => requestFields.some((field) => field.name === name));
      if (blamed !== undefined) return nothingSeen(`It was rejected for want of \`${blamed}\`.`);
      return judgeAccepted(exchange, "scrape.status-200");
    },
  },
  ...optionalChecks,
  ...acceptChecks,
  ...wrongTypeChecks,
  rejects(
    "rejects-wrong-ignored_tags-items",
    "An `ignored_tags` whose elements are no strings is rejected with 422.",
    ["scrape.request.ignored_tags.items"],
    ["with-wrong-ignored_tags-items"],
    "an `ignored_tags` whose element is an object",
  ),
  rejects(
    "rejects-unknown-property",
    "A property that the request does not know is rejected with 422.",
    ["scrape.unknown-property-rejected", "scrape.422"],
    unknownProperties.map((name) => `with-unknown-${name}`),
    "an unknown property",
  ),
  rejects(
    "rejects-missing-body",
    "A scrape without a body is rejected with 422.",
    ["scrape.request.body-required"],
    ["without-body"],
    "a missing body",
  ),
  {
    ...rejects(
      "rejects-array-body",
      "A body that is not an object is rejected with 422.",
      ["scrape.request.object"],
      ["with-array-body"],
      "a body that is an array",
    ),
    level: "assumed",
  },
  accepts(
    "accepts-update_metadata",
    "`update_metadata` may be true or false.",
    ["scrape.update_metadata.type"],
    ["update-metadata-true", "update-metadata-false"],
  ),
  rejects(
    "rejects-wrong-update_metadata",
    "An `update_metadata` that is no boolean is rejected with 422.",
    ["scrape.update_metadata.type"],
    ["update-metadata-wrong"],
    "an `update_metadata` that is no boolean",
  ),
  accepts(
    "accepts-request-origin",
    "The header `x-service-request-origin` is accepted.",
    ["scrape.header.x-service-request-origin.type"],
    ["with-request-origin"],
  ),
  accepts(
    "accepts-sdk-version",
    "The header `x-service-sdk-version` is accepted.",
    ["scrape.header.x-service-sdk-version.type", "version.sdk-version-header"],
    ["with-sdk-version"],
  ),
];
