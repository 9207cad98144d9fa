import { ClientError } from "@cloud-browser/client";
import { StreamError } from "@cloud-browser/stream";

/**
 * Returns the address that explains an error, on the documentation site that `CLOUD_BROWSER_DOCS_URL` names; undefined for an error
 * without a code, and where no site or no valid address is named.
 */
export function findErrorPage(thrown: unknown, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const site = URL.parse(env["CLOUD_BROWSER_DOCS_URL"] ?? "");
  if (
    site === null ||
    !/^https?:$/.test(site.protocol) ||
    site.username + site.password + site.search + site.hash !== ""
  )
    return;
  const address = site.href.replace(/\/+$/, "");
  if (thrown instanceof ClientError) return `${address}/errors/client/#${thrown.code}`;
  return thrown instanceof StreamError ? `${address}/errors/stream/#${thrown.code}` : undefined;
}
