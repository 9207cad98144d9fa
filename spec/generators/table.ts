import type { Call, Calls } from "./calls.ts";
import { getVersion } from "./workshop.ts";

/** What a row of the table says beyond what the calls show, and how the calls and the generated code show it. */
interface Remark {
  readonly packages: readonly string[];
  readonly text: string;
  readonly holds: (calls: Calls, readCode: (name: string) => string) => boolean;
}

const remarks: Readonly<Record<string, Remark>> = {
  "openapi-typescript": {
    packages: ["openapi-typescript", "openapi-fetch"],
    text: 'Reads no `servers`: give `baseUrl`, and that of the automation with its call. Without `--default-non-nullable=false`, fields with a default are required in requests. Read the stream with `parseAs: "text"` or `"stream"`.',
    holds: (_, readCode) =>
      readCode("openapi-typescript-plain").includes("scrape_links: boolean;") &&
      readCode("openapi-typescript").includes("scrape_links?: boolean;"),
  },
  "hey-api": {
    packages: ["@hey-api/openapi-ts"],
    text: "**Give every automation `sseMaxRetryAttempts: 1`, or a connection that closes, or a 502, starts, and bills, the run again and again.** Then `onSseError` alone tells of it: no exception does. Give the automation its `baseUrl` with the call.",
    holds: ({ plainClosed, plainRefused }) => isRepeated(plainClosed) && isRepeated(plainRefused),
  },
  orval: {
    packages: ["orval"],
    text: "`baseUrl: { getBaseUrlFromSpecification: true }` and `urlEncodeParameters: true`, or it uses no address and encodes no path. It types the text of the whole stream as one event: call `fetch(getAutomationStartUrl(), …)` and parse the lines.",
    holds: ({ plainStart }, readCode) =>
      typeof plainStart.value === "string" && readCode("orval-plain").includes("`/sessions/${sessionId}/cookies`"),
  },
  "swagger-typescript-api": {
    packages: ["swagger-typescript-api"],
    text: "Pass `encodeURIComponent(session_id)`, and `baseUrl` with the automation. `data` of the automation is null although it is typed as an event: parse the lines of its `text()`.",
    holds: ({ plainStart }) => plainStart.value === null,
  },
  kubb: {
    packages: ["@kubb/plugin-client"],
    text: 'Pass `encodeURIComponent(session_id)`. With `serverIndex` one address is built into all calls: set `baseURL` instead, and that of the automation with its call. **Use `client: "axios"`: its fetch client throws at the stream when the run is already billed.** The text of the stream is typed as one event: parse its lines.',
    holds: ({ plainStart }) => plainStart.arrived.length === 1 && plainStart.error instanceof SyntaxError,
  },
  "openapi-zod-client": {
    packages: ["openapi-zod-client"],
    text: "Reads no `servers`: one client per address. Pass `encodeURIComponent(session_id)`. The stream is typed as `void`: parse its lines with `schemas.AutomationEvent` (`--export-schemas`). Version 3.1 only: it refuses 3.2.",
    holds: (_, readCode) => /"automation_start"[^]*?response: z\.void\(\)/.test(readCode("openapi-zod-client")),
  },
};

const others: readonly (readonly [name: string, packages: readonly string[], text: string])[] = [
  [
    "openapi-to-postman",
    ["openapi-to-postmanv2"],
    'Both addresses are read. `parametersResolution=Example` on the command line, or `requestParametersResolution: "Example"` for its function `convert`, or bodies hold words such as `<string>`. Enter the key at the scrape, the cookies and the replay, and as `bearerToken`; switch off the optional headers, which hold the word `string`.',
  ],
  [
    "Prism",
    ["@stoplight/prism-cli"],
    "A mock of `openapi-mock.json`: of `openapi.json` it plays an empty stream, and with `openapi-3.1.json` it answers automations with 500.",
  ],
  [
    "Spectral",
    ["@stoplight/spectral-cli"],
    "No finding, with `info-contact` and `operation-tags` off: the interface shows neither a contact nor these tags; and with `oas3-examples-value-or-externalValue` off, which does not know `serializedValue` of 3.2.",
  ],
  [
    "Redocly",
    ["@redocly/cli"],
    "No finding, with `info-license` and `operation-4xx-response` off: the interface shows neither a licence nor error responses of the replay.",
  ],
  ["Scalar", ["@scalar/openapi-parser"], "No finding."],
  ["swagger-parser", ["@apidevtools/swagger-parser"], "No finding in `openapi-3.1.json`; it refuses 3.2."],
];

/** What the calls and the generated code do not confirm. */
export function listStaleRemarks(all: ReadonlyMap<string, Calls>, readCode: (name: string) => string): string[] {
  return [...all]
    .filter(([name, calls]) => !remarks[name]?.holds(calls, readCode))
    .map(([name]) => `${name}: what the table says of its limitations is no longer so`);
}

/** Both tables, as they stand in ../README.md. */
export function getTables(all: ReadonlyMap<string, Calls>): string {
  const clients = [...all].map(([name, calls]) => {
    const { packages = [], text = "" } = remarks[name] ?? {};
    return [name, listVersions(packages)].concat(listCells(calls), text);
  });
  const head = ["generator", "version", "automation's server", "path", "stream", "closed early, or 502", "what to do"];
  const tools = others.map(([name, packages, text]) => [name, listVersions(packages), text]);
  return `${renderTable(head, clients)}\n\n${renderTable(["tool", "version", "what it reads and says"], tools)}`;
}

function listCells({ plainScrape, plainStart, plainClosed, plainRefused }: Calls): string[] {
  return [
    plainStart.arrived[0]?.server === "automation" ? "read" : "by hand",
    plainScrape.arrived[0]?.line.includes("/a%2Fb%20%C3%BC%3Fc/") ? "encoded" : "by hand",
    isRun(plainStart.value) ? "typed events" : "text",
    isRepeated(plainClosed) || isRepeated(plainRefused) ? "**posts again, without end**" : "one post",
  ];
}

function isRepeated({ arrived }: Call): boolean {
  return arrived.length > 1;
}

function isRun(value: unknown): boolean {
  return typeof value === "object" && value !== null && "types" in value;
}

function listVersions(packages: readonly string[]): string {
  return packages.map((name) => getVersion(name)).join(" with ");
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
