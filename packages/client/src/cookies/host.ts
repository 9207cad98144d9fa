/** The host of a domain with or without leading dot, as URLs have it; `undefined` when it is none. */
export function hostOf(domain: string): string | undefined {
  const name = domain.replace(/^\./, "");
  const address = `http://${name.includes(":") && name[0] !== "[" ? `[${name}]` : name}/`;
  // URLs are read as if tabs and line ends in them weren't there.
  if (/[\t\n\r]|\/\.|\.\./.test(address) || !URL.canParse(address)) return undefined;
  const { href, hostname } = new URL(address);
  return href === `http://${hostname}/` ? hostname : undefined;
}

/** Tells whether a host can share cookies with subdomains: IP addresses can't, nor can names of one label. */
export function hasSubdomains(host: string): boolean {
  return host.includes(".") && !/^[\d.]+$/.test(host);
}

/** Tells whether a host is a domain, or a subdomain of it. */
export function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** The path of a cookie that an answer from this URL sets without naming one. Source: RFC 6265 § 5.1.4. */
export function defaultPath({ pathname }: URL): string {
  return pathname.slice(0, pathname.lastIndexOf("/")) || "/";
}

/** Tells whether a request for a URL is under the path of a cookie. Source: RFC 6265 § 5.1.4. */
export function isUnder({ href, pathname }: URL, cookiePath: string): boolean {
  const url = new URL(href);
  url.pathname = cookiePath; // encoded like the other one
  const path = url.pathname;
  return pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
}
