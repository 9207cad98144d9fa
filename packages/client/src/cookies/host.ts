/**
 * Normalizes a domain, with or without leading dot, to the host of a URL; `undefined` when it is invalid, when browsers refuse it in
 * cookies, or when it would become another one, such as `127.1`.
 */
export function findHost(domain: string): string | undefined {
  const name = domain.replace(/^\./, "");
  if (/[;*%]/.test(name) || (!name.includes(":") && !isStable(name))) return undefined;
  const address = `http://${name.includes(":") && name[0] !== "[" ? `[${name}]` : name}/`;
  // URL parsers ignore tabs and line ends.
  if (/[\t\n\r]|\/\.|\.\./.test(address) || !URL.canParse(address)) return undefined;
  const { href, hostname } = new URL(address);
  return href === `http://${hostname}/` ? hostname : undefined;
}

/** Returns whether URL parsers only lower the case of a name, or write its letters beyond ASCII in Punycode. */
function isStable(name: string): boolean {
  const { hostname } = URL.canParse(`http://${name}/`) ? new URL(`http://${name}/`) : { hostname: "" };
  if (!/[^\0-~]/.test(name)) return hostname === name.toLowerCase();
  // Others stand for a dot, for a letter of ASCII, or for nothing.
  return (
    /^[\p{L}\p{N}\p{M}\p{So}\p{Sk}._-]+$/u.test(name) && name === name.normalize("NFKC") && !/^[\d.]+$/.test(hostname)
  );
}

/** Returns whether a host can share cookies with subdomains: not an IP address, nor a name of one label. */
export function hasSubdomains(host: string): boolean {
  return host.includes(".") && !/^[\d.]+$/.test(host);
}

/** Returns whether a host is a domain or one of its subdomains. */
export function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** Returns the default path of a cookie that a URL sets. Source: RFC 6265 § 5.1.4. */
export function defaultPath({ pathname }: URL): string {
  return pathname.slice(0, pathname.lastIndexOf("/")) || "/";
}

/** Returns whether the path of a URL matches that of a cookie. Source: RFC 6265 § 5.1.4. */
export function isUnder({ href, pathname }: URL, cookiePath: string): boolean {
  const url = new URL(href);
  url.pathname = cookiePath; // percent-encodes it like that of the URL
  const path = url.pathname;
  return pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
}
