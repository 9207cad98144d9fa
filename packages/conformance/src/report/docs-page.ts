import type { Report } from "./report.ts";

/** Returns the address of the page that explains a check; undefined when the run was given no documentation site. */
export function checkPage(id: string, { run: { docsUrl } }: Report): string | undefined {
  return docsUrl === undefined ? undefined : `${docsUrl.replace(/\/+$/, "")}/checks/${id}/`;
}

/** Returns the address of the place that explains a requirement; undefined when the run was given no documentation site. */
export function requirementPage(id: string, { run: { docsUrl } }: Report): string | undefined {
  return docsUrl === undefined ? undefined : `${docsUrl.replace(/\/+$/, "")}/requirements/#${id}`;
}
