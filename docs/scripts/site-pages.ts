import { apiPages } from "./generated/api-pages.ts";
import { changelogPage } from "./generated/changelog-page.ts";
import { checkPages } from "./generated/check-pages.ts";
import { commandPages } from "./generated/command-pages.ts";
import { contractPages } from "./generated/contract-pages.ts";
import { errorPages } from "./generated/error-pages.ts";
import { limitsPage } from "./generated/limits-page.ts";
import { requirementPages } from "./generated/requirement-pages.ts";
import type { SitePage } from "./page.ts";
import { writtenPages } from "./repository-pages.ts";

/** Returns all pages of the site but the first one: what people wrote, and what is made from the repository. */
export async function sitePages(): Promise<SitePage[]> {
  return [
    ...writtenPages(),
    ...contractPages(),
    ...requirementPages(),
    ...(await checkPages()),
    ...errorPages(),
    ...commandPages(),
    limitsPage(),
    ...apiPages(),
    changelogPage(),
  ];
}
