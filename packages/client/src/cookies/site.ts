import { isWithin } from "./host.ts";

/** Parses a site, such as a partition key; `undefined` when it is not an `http:` or `https:` URL. */
export function findSite(address: string): URL | undefined {
  const site = URL.canParse(address) ? new URL(address) : undefined;
  return site && /^https?:$/.test(site.protocol) ? site : undefined;
}

/** Returns whether a page belongs to a site. Correct only if the site has no subdomain. */
export function isOfSite(page: URL, site: URL): boolean {
  return page.protocol === site.protocol && isWithin(page.hostname, site.hostname);
}

/**
 * Returns whether a cookie is of another site than its partition. If so, it has a cross-site ancestor for certain; if not, it
 * most likely has none.
 */
export function isThirdParty(domain: string, partitionKey: string): boolean {
  return !isWithin(domain, findSite(partitionKey)?.hostname ?? "");
}
