import { domainToASCII } from "node:url";
import { BrowserError } from "../../browser-error.ts";
import { parseAuthority } from "../authority.ts";

/** A proxy that the traffic of one context goes through, as its owner gives it. */
export interface ProxySettings {
  /** `http://host:port`, `https://host:port` or `socks5://host:port`. */
  readonly server: string;
  /** Name that the proxy knows its user by. Default: none is sent. */
  readonly username?: string;
  /** Its password. A secret. */
  readonly password?: string;
  /** Resolver of host names: this machine, which checks their addresses, or the proxy. Default: `service`. */
  readonly dns?: "service" | "proxy";
}

/** A proxy that was read from its settings. */
export interface UpstreamProxy {
  /** Protocol of the proxy. */
  readonly protocol: "http" | "https" | "socks5";
  /** Host and port, as the egress policy reads them. */
  readonly authority: string;
  /** Name of the host; an address without brackets. */
  readonly host: string;
  /** Its credentials; undefined to send none. A secret. */
  readonly credentials: { readonly username: string; readonly password: string } | undefined;
  /** True when the proxy resolves the names of hosts. */
  readonly resolvesNames: boolean;
}

const defaultPorts = { http: 80, https: 443, socks5: 1080 } as const;

/** Scheme, host and port of a proxy. */
const form = /^(?<scheme>https?|socks5):\/\/(?<host>\[[\da-f:.]+\]|[^\s:/?#@[\]\\]+)(?::(?<port>\d{1,5}))?\/?$/i;

/** Longest name and password that SOCKS5 carries, in bytes. */
const maxCredentialBytes = 255;

/**
 * Reads the settings of a proxy.
 *
 * @throws {BrowserError} `usage` when they are malformed. The message has neither the address nor the credentials: those may be in it.
 *
 * @example
 * ```ts from=examples/api/browsers/read-proxy.ts
 * import { readProxy } from "@cloud-browser/browsers";
 *
 * const { protocol, host } = readProxy({ server: "socks5://proxy.example:1080", dns: "proxy" });
 * console.log(protocol, host); // socks5 proxy.example
 * ```
 */
export function readProxy({ server, username, password, dns }: ProxySettings): UpstreamProxy {
  if (server.includes("@"))
    throw new BrowserError("usage", "proxy.server has credentials: give them as proxy.username and proxy.password");
  const { scheme = "", host = "", port } = form.exec(server)?.groups ?? {};
  const protocol = findProtocol(scheme);
  // What is written in ASCII stays: the function reads odd numbers as addresses.
  const named = /^[\x21-\x7e]*$/.test(host) ? host : domainToASCII(host);
  const authority = protocol && parseAuthority(named, port === undefined ? defaultPorts[protocol] : Number(port));
  if (protocol === undefined || authority === undefined) throw malformed();
  return {
    protocol,
    authority: `${authority.host}:${authority.port}`,
    host: authority.host.replace(/^\[|\]$/g, ""),
    credentials: readCredentials(protocol, username, password),
    resolvesNames: dns === "proxy",
  };
}

function findProtocol(scheme: string): UpstreamProxy["protocol"] | undefined {
  const name = scheme.toLowerCase();
  return name === "http" || name === "https" || name === "socks5" ? name : undefined;
}

function readCredentials(
  protocol: UpstreamProxy["protocol"],
  username: string | undefined,
  password: string | undefined,
): UpstreamProxy["credentials"] {
  if (username === undefined && password === undefined) return undefined;
  if (username === undefined || username === "") throw new BrowserError("usage", "proxy.password needs proxy.username");
  if ([username, password ?? ""].some((text) => Buffer.byteLength(text) > maxCredentialBytes))
    throw new BrowserError("usage", `proxy.username and proxy.password have at most ${maxCredentialBytes} bytes each`);
  if (username.includes(":") && protocol !== "socks5")
    throw new BrowserError("usage", "proxy.username must not contain a colon: HTTP ends the name there");
  return { username, password: password ?? "" };
}

function malformed(): BrowserError {
  return new BrowserError(
    "usage",
    "malformed proxy.server: give http://host:port, https://host:port or socks5://host:port, without a path or credentials",
  );
}
