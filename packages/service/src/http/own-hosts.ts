import { isIP } from "node:net";
import { ServiceError } from "../service-error.ts";
import { answerProblem } from "./problems.ts";

/** How a service is reached. */
export interface HostSettings {
  /** Address that it listens on. */
  readonly host: string;
  /** Its port. */
  readonly port: number;
  /** How clients reach it, where that is another address. */
  readonly publicUrl: string | undefined;
  /** Further names that it has: `host`, with any port, or `host:port`. */
  readonly allowed: readonly string[];
}

/** Headers that say where a request goes and where it comes from. */
export interface HostHeaders {
  /** `Host`; only HTTP/1.0 knows requests without. */
  readonly host: string | undefined;
  /** `Origin`; undefined when no page of a browser sends it. */
  readonly origin: string | undefined;
}

/** Judges requests by their `Host` and `Origin`: the answer of those that are refused. */
export type HostGuard = (headers: HostHeaders) => Response | undefined;

/** A host and its port. */
interface HostAndPort {
  readonly name: string;
  /** Empty: any, in an allow list; that of the scheme, in an address. */
  readonly port: string;
}

const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Refuses requests to names that are not the service's own, and those of pages of other origins. A page on the internet can have its own
 * name resolve to the machine of its visitor (DNS rebinding), and so reach servers on loopback; `Host` still has its name.
 *
 * A service on loopback is known by the names of loopback with its port. One that others reach is known by any IP address and any name
 * without a dot, with any port: those no page on the internet can have, and containers are reached so. Both by the host of their public
 * address, and by what is allowed.
 *
 * @throws {ServiceError} `usage` if an allowed host is malformed.
 */
export function makeHostGuard({ host, port, publicUrl, allowed }: HostSettings): HostGuard {
  const isOnLoopback = loopback.test(bracket(host));
  const own = allowed.map(parseAllowed);
  const advertised = publicUrl === undefined ? undefined : URL.parse(publicUrl);
  if (advertised) own.push({ name: advertised.hostname, port: "" });

  const isOwn = ({ name, port: ownPort }: HostAndPort): boolean => {
    if (own.some((one) => one.name === name && (one.port === "" || one.port === ownPort))) return true;
    if (isOnLoopback) return loopback.test(name) && ownPort === String(port);
    return (
      name === bracket(host) || loopback.test(name) || isIP(name.replace(/^\[(.*)\]$/, "$1")) > 0 || !name.includes(".")
    );
  };

  return ({ host: authority, origin }) => {
    const place = authority === undefined ? undefined : parseHostAndPort(authority);
    if (authority !== undefined && !(place && isOwn(place))) {
      return answerProblem(
        421,
        `Host ${quote(authority)} is not allowed (DNS rebinding protection): use the address of the service, or add that host to its allowed hosts`,
      );
    }
    if (origin === undefined || origin.startsWith("devtools://")) return undefined;
    const page = URL.parse(origin);
    const isSame = page !== null && authority !== undefined && page.host === authority.toLowerCase();
    if (isSame || (page !== null && isOwn({ name: page.hostname, port: page.port || findUsualPort(page.protocol) })))
      return undefined;
    return answerProblem(
      403,
      `Origin ${quote(origin)} is not allowed: add its host to the allowed hosts of the service`,
    );
  };
}

const findUsualPort = (protocol: string): string => (protocol === "https:" ? "443" : "80");
const bracket = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host.toLowerCase());
/** Quotes a value for a message. */
const quote = (text: string): string => JSON.stringify(text.slice(0, 100));

/** Parses a `Host` header; undefined when it is malformed. */
function parseHostAndPort(authority: string): HostAndPort | undefined {
  const url = /[/?#@\\\s]/.test(authority) ? null : URL.parse(`http://${authority}/`);
  return url ? { name: url.hostname, port: url.port || "80" } : undefined;
}

function parseAllowed(text: string): HostAndPort {
  const place = parseHostAndPort(text);
  if (!place)
    throw new ServiceError("usage", `malformed \`allowedHosts\` ${text}: give a name or name:port, without a scheme`);
  return { name: place.name, port: /:\d+$/.test(text) ? place.port : "" };
}
