import type { CheckResult, RecordedExchange, Report } from "../report.ts";
import { authorizationWord, headerVariable, keyVariable, mayBeBilled, queryWord } from "./shell-credentials.ts";
import { printfFormat, shellQuote } from "./shell-quote.ts";

/** Text that replaces a secret in a recorded exchange. */
const placeholder = "[redacted]";

/** Maximum size of a body that is passed as one argument, in bytes: Linux limits an argument to 128 KiB. */
const maxWordLength = 100_000;

/** Size of a body above which curl waits for `100 Continue`, in bytes; the suite does not. */
const expectLimit = 1024;

/** Headers that curl sets by itself. */
const ownHeaders: ReadonlySet<string> = new Set(["host", "connection"]);

/**
 * Returns the command line that sends the request of an exchange again, byte for byte, and shows the answer as it comes.
 *
 * For bash, zsh and ksh. The API key is taken from `$CLOUD_BROWSER_API_KEY` and never stands in the command. The order of the headers and
 * those of the connection itself are curl's.
 */
export function curlCommand({ request }: RecordedExchange): string {
  const { body } = request;
  const parts = ["curl", ...requestWords(request)];
  if (body === null) return parts.join(" ");
  const bytes = Buffer.byteLength(body);
  if (body.includes("\0")) return `printf -- ${printfFormat(body)} | ${[...parts, "--data-binary", "@-"].join(" ")}`;
  if (bytes > maxWordLength) return `printf %s ${shellQuote(body)} | ${[...parts, "--data-binary", "@-"].join(" ")}`;
  return [...parts, "--data-raw", shellQuote(body)].join(" ");
}

/** Returns the curl arguments of a request, without its body. */
function requestWords(request: RecordedExchange["request"]): string[] {
  const { method, body } = request;
  const options = ["-i", "-sS", "-N", "--http1.1", "--path-as-is", "-g"];
  const words = [...options, ...methodWords(method, body)];
  words.push(urlWord(request), ...headerWords(request));
  if (body !== null && Buffer.byteLength(body) > expectLimit) words.push("-H", "expect:");
  return words;
}

/** Returns the curl arguments of the method. HEAD needs `--head`: with `-X HEAD` curl would wait for a body. */
function methodWords(method: string, body: string | null): string[] {
  if (method === "HEAD") return ["--head"];
  return method === "GET" && body === null ? [] : ["-X", shellQuote(method)];
}

/** Returns a command that sends requests over one connection. Each body has to fit into an argument, without NUL. */
function keptCommand(exchanges: readonly RecordedExchange[]): string {
  const requests = exchanges.map(({ request }) => {
    const { body } = request;
    return [...requestWords(request), ...(body === null ? [] : ["--data-raw", shellQuote(body)])].join(" ");
  });
  return `curl ${requests.join(" --next ")}`;
}

/** Returns the URL argument, normalized like the URL that the suite sent. Credentials in its query are read from the environment. */
function urlWord(request: RecordedExchange["request"]): string {
  const { url } = request;
  const word = queryWord(request);
  if (word === undefined) return shellQuote(URL.parse(url)?.href ?? url);
  const [before = "", after = ""] = url.split(placeholder, 2);
  return `${shellQuote(URL.parse(before)?.href ?? before)}"${word}"${after === "" ? "" : shellQuote(after)}`;
}

function headerWords(request: RecordedExchange["request"]): string[] {
  const { method, headers, body } = request;
  const words = headers
    .filter(([name, value]) => !ownHeaders.has(name.toLowerCase()) && !isLength(name, value, body))
    .flatMap(([name, value]) => ["-H", authorizationWord(request, name) ?? headerWord(name, value)]);
  const has = (name: string): boolean => headers.some(([other]) => other.toLowerCase() === name);
  for (const name of ["accept", "user-agent"]) if (!has(name)) words.push("-H", `${name}:`);
  if (body !== null && !has("content-type")) words.push("-H", "content-type:");
  if (body === null && method === "POST" && !has("content-length")) words.push("-H", shellQuote("content-length: 0"));
  return words;
}

/** Returns whether a header is the right `Content-Length`, which curl sets by itself. */
function isLength(name: string, value: string, body: string | null): boolean {
  return name.toLowerCase() === "content-length" && body !== null && value === String(Buffer.byteLength(body));
}

/** Returns the argument of a header. For an empty value curl needs `name;`; `name:` would remove the header. */
function headerWord(name: string, value: string): string {
  if (value.trim() === "") return shellQuote(`${name};`, "latin1");
  const [before, ...after] = `${name}: ${value}`.split(placeholder);
  if (before === undefined || after.length === 0) return shellQuote(`${name}: ${value}`, "latin1");
  const key = `\${${keyVariable}:?}`;
  if (name.toLowerCase() !== "authorization") return `${shellQuote(`${name}: `)}"\${${headerVariable(name)}:?}"`;
  if (/^[\w :-]+$/.test(before) && after.join("") === "") return `"${before}${key}"`;
  return [before, ...after].map((text) => (text === "" ? "" : shellQuote(text, "latin1"))).join(`"${key}"`);
}

/** Command line that reproduces one failure of a check: each different finding has one. */
export interface Reproduction {
  /** Id of the exchange. */
  readonly exchange: string;
  /** The command line. */
  readonly command: string;
  /** Notes for whoever runs it: the source of the key, and possible costs. */
  readonly notes: readonly string[];
}

/**
 * Returns the command line that reproduces one exchange.
 *
 * A request of the kept-alive connection is sent with all requests before it, over one connection. A request that was repeated
 * in the same form is sent as many times.
 *
 * @param all - The exchanges of the run, in the order of sending. Default: none but this one.
 */
export function makeReproduction(exchange: RecordedExchange, all: readonly RecordedExchange[] = []): Reproduction {
  const before = leadingTo(exchange, all);
  const requests = [...before, exchange];
  const isKept =
    exchange.request.connection === "kept" && requests.every(({ request }) => fitsWord(request.body ?? ""));
  const command = isKept ? keptCommand(requests) : requests.map(curlCommand).join("; ");
  return { exchange: exchange.id, command, notes: notesOn(requests, command) };
}

function notesOn(requests: readonly RecordedExchange[], command: string): string[] {
  const variables = new Set(command.match(/(?<=\$\{)HEADER_\w+(?=:\?\})/g));
  const query =
    "The query of the address is redacted, because it is a credential; read the replay again to get a new address.";
  return [
    ...(command.includes(keyVariable) ? [`It takes the key from the environment variable ${keyVariable}.`] : []),
    ...[...variables].map((name) => `It takes the value of a header from the environment variable ${name}.`),
    ...(requests.length > 1
      ? [`It sends ${requests.length} requests, as the run did; the last one shows the failure.`]
      : []),
    ...(requests.some(({ request }) => request.url.includes(placeholder) && queryWord(request) === undefined)
      ? [query]
      : []),
    ...(requests.some(mayBeBilled) ? ["It may start an automation run, which a live target bills."] : []),
  ];
}

function fitsWord(body: string): boolean {
  return !body.includes("\0") && Buffer.byteLength(body) <= maxWordLength;
}

/** Returns the earlier exchanges that the response to a request may depend on. */
function leadingTo(exchange: RecordedExchange, all: readonly RecordedExchange[]): RecordedExchange[] {
  const earlier = all.slice(0, Math.max(0, all.indexOf(exchange)));
  if (exchange.request.connection !== "kept") {
    const { url, body } = exchange.request;
    const form = JSON.stringify(exchange.request);
    const alike = earlier.filter(({ request }) => request.url === url && request.body === body);
    return alike.filter(({ request }) => JSON.stringify(request) === form);
  }
  const origin = URL.parse(exchange.request.url)?.origin;
  return earlier.filter(({ request }) => request.connection === "kept" && URL.parse(request.url)?.origin === origin);
}

/**
 * Returns the command lines that reproduce the findings of a check, in the order of the findings, at most `limit` of them.
 *
 * For a check without findings: those of the exchanges of its result. Empty when the report holds none of them.
 */
export function listReproductions(check: CheckResult, report: Pick<Report, "exchanges">, limit = 1): Reproduction[] {
  const ids = check.findings.length > 0 ? check.findings.map((finding) => finding.exchange) : check.exchanges;
  const reproductions: Reproduction[] = [];
  for (const id of new Set(ids)) {
    if (reproductions.length === limit) break;
    const exchange = report.exchanges.find((candidate) => candidate.id === id);
    if (exchange) reproductions.push(makeReproduction(exchange, report.exchanges));
  }
  return reproductions;
}
