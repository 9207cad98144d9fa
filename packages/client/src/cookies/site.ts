import { isWithin } from "./host.ts";

/** The address of a site, such as a partition key names it; `undefined` when it is no address of a site. */
export function siteOf(address: string): URL | undefined {
  const site = URL.canParse(address) ? new URL(address) : undefined;
  return site && /^https?:$/.test(site.protocol) ? site : undefined;
}

/** Tells whether a page of this address is of the site. Right only when the site has no subdomain in it. */
export function isOfSite(page: URL, site: URL): boolean {
  return page.protocol === site.protocol && isWithin(page.hostname, site.hostname);
}

/**
 * Tells whether the site of a cookie is another one than that of its partition. If so, a frame above the one that set it
 * was of another site for sure; if not, most likely none was.
 */
export function isThirdParty(domain: string, partitionKey: string): boolean {
  return !isWithin(domain, siteOf(partitionKey)?.hostname ?? "");
}
