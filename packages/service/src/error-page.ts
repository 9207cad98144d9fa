import type { ServiceErrorCode } from "./service-error.ts";

/**
 * Returns the address that explains an error code; undefined where no documentation site is set.
 *
 * @param docsUrl - Address of the site, without a slash at its end.
 */
export function buildErrorPageUrl(code: ServiceErrorCode, docsUrl: string | undefined): string | undefined {
  return docsUrl === undefined ? undefined : `${docsUrl}/errors/service/#${code}`;
}
