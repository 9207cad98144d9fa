import { shownCommand } from "./shown-command.ts";
import { Option, type Command } from "commander";
import { DataFolder, defaultDataFolder, type ServiceAddress } from "../data-folder.ts";
import { secretFrom } from "./env-option.ts";
import { ServiceError, type ServiceErrorCode } from "../service-error.ts";

/** How the commands that talk to a running service find it. */
export interface ReachFlags {
  /** Base address of the service. */
  readonly baseUrl?: string;
  /** Folder of the service. */
  readonly data: string;
}

/** Flags of a command that lists something. */
export interface ListFlags extends ReachFlags {
  /** Print JSON. */
  readonly json?: true;
}

/** Adds the flags that find the service. */
export function addReachFlags(command: Command): Command {
  return command
    .addOption(
      new Option("--base-url <url>", "address of the service (default: the one that runs here)").env(
        "CLOUD_BROWSER_BASE_URL",
      ),
    )
    .addOption(dataOption());
}

/** The flag that names the folder of the service. */
export function dataOption(): Option {
  return new Option("--data <folder>", "folder of the service's records and recordings")
    .env("CLOUD_BROWSER_DATA")
    .default(defaultDataFolder(), "in your home folder");
}

/**
 * Sends a request to the control interface of a running service, and gives the JSON that it answers with.
 *
 * @throws {ServiceError} `usage` when no service is there or the call was wrong; otherwise what the service answered.
 */
export async function askService(flags: ReachFlags, method: string, path: string, body?: unknown): Promise<unknown> {
  return jsonOf(await requestService(flags, method, path, body));
}

/**
 * Sends a request to the control interface of a running service, and gives its answer when that is a good one.
 *
 * @param body - Sent as JSON, but for a `Blob`, which is sent as it is.
 * @param given - Headers beside those of every request.
 * @throws {ServiceError} As `askService`.
 */
export async function requestService(
  flags: ReachFlags,
  method: string,
  path: string,
  body?: unknown,
  given: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { url, apiKey } = addressFrom(flags);
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json", ...given };
  const sent = body instanceof Blob ? body : JSON.stringify(body);
  const init = { method, headers, ...(body === undefined ? {} : { body: sent }) };
  let response: Response;
  try {
    response = await fetch(`${url}${path}`, init);
  } catch (error) {
    const cause = error instanceof Error ? error : {};
    throw new ServiceError("usage", `no service answers at ${url}: ${whyUnreachable(url, cause)}`, { cause });
  }
  if (response.ok) return response;
  const why = reasonIn(await jsonOf(response)) ?? "the service gave no reason";
  throw new ServiceError(codes.get(response.status) ?? "page-failed", `${why} (HTTP ${response.status})`);
}

/** Says why a request got no answer, and what to do. */
function whyUnreachable(url: string, { cause }: { readonly cause?: unknown }): string {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "no answer";
  if (code === "ECONNREFUSED") return `nothing listens there (${code}); start one with: ${shownCommand} serve`;
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) return `there is no such host (${code}); check --base-url`;
  if (/^(?:EPROTO|ERR_SSL_)/.test(code)) return `it does not speak https (${code}); try http://${new URL(url).host}`;
  if (/CERT|SELF_SIGNED|ALTNAME/.test(code))
    return `its certificate is not valid here (${code}); see NODE_EXTRA_CA_CERTS`;
  if (/^(?:UND_ERR_SOCKET|ECONNRESET|HPE_)/.test(code))
    return `it broke the connection off, as a server of another protocol does (${code}); check --base-url`;
  return `${code}; check the address and the network`;
}

/**
 * Sends a request for each of several things; what fails for one keeps the others from nothing.
 *
 * @throws {ServiceError} What the service answered for the first that failed, when all have been tried.
 */
export async function askForEach(flags: ReachFlags, method: string, paths: readonly string[]): Promise<void> {
  const faults: ServiceError[] = [];
  for (const path of paths) {
    try {
      await requestService(flags, method, path);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      faults.push(
        new ServiceError(error.code, paths.length > 1 ? `${path.split("/").at(-1)}: ${error.message}` : error.message),
      );
    }
  }
  const [first] = faults;
  if (first) throw new ServiceError(first.code, faults.map(({ message }) => message).join("\n"));
}

/** Parses the JSON answer of a service. */
async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw new ServiceError("usage", `${new URL(response.url).origin} is not a cloud-browser service`, { cause });
  }
}

/** Error codes by status of the service. */
const codes: ReadonlyMap<number, ServiceErrorCode> = new Map([
  [401, "usage"],
  [404, "unknown-session"],
  [409, "session-ended"],
  [422, "usage"],
  [429, "busy"],
]);

function addressFrom({ baseUrl, data }: ReachFlags): ServiceAddress {
  const given = secretFrom("CLOUD_BROWSER_API_KEY");
  const here = new DataFolder(data).address;
  const url = baseUrl === undefined ? here?.url : checkedBaseUrl(baseUrl);
  if (url === undefined) {
    throw new ServiceError(
      "usage",
      `no service runs with the folder ${data}; start one with: ${shownCommand} serve, name the folder of one that runs with --data, or its address with --base-url`,
    );
  }
  const apiKey = given ?? (url === here?.url ? here.apiKey : undefined);
  if (apiKey !== undefined && /[^!-~]/.test(apiKey))
    throw new ServiceError(
      "usage",
      "malformed API key in CLOUD_BROWSER_API_KEY: printable ASCII without spaces is allowed",
    );
  if (apiKey !== undefined) return { url, apiKey };
  throw new ServiceError("usage", `no API key for ${url}; set CLOUD_BROWSER_API_KEY`);
}

/** Parses a base URL. The error does not repeat it: it may contain credentials. */
function checkedBaseUrl(text: string): string {
  const { protocol, origin, pathname, href } = URL.parse(text) ?? {};
  if (!/^https?:$/.test(protocol ?? "") || href !== `${origin}${pathname}`)
    throw new ServiceError("usage", "--base-url must be like http://127.0.0.1:8090, without credentials or a query");
  return href.replace(/\/+$/, "");
}

/** The reason in the body of an answer: a text, or a list of faults. */
function reasonIn(answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  if ("error" in answer && typeof answer.error === "string") return answer.error;
  const detail: unknown = "detail" in answer ? answer.detail : undefined;
  if (typeof detail === "string") return detail;
  if (!Array.isArray(detail)) return undefined;
  return detail
    .map((fault: { loc?: unknown[]; msg?: string }) => `${fault.loc?.join(".") ?? ""}: ${fault.msg ?? ""}`)
    .join("; ");
}
