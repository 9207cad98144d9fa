import { makeApiPages } from "./generated/api-pages.ts";
import { makeChangelogPage } from "./generated/changelog-page.ts";
import { checkPages } from "./generated/check-pages.ts";
import { makeCommandPages } from "./generated/command-pages.ts";
import { makeContractPages } from "./generated/contract-pages.ts";
import { makeErrorPages } from "./generated/error-pages.ts";
import { makeLimitsPage } from "./generated/limits-page.ts";
import { makeRequirementPages } from "./generated/requirement-pages.ts";
import type { SitePage } from "./page.ts";
import { listWrittenPages } from "./repository-pages.ts";

/** Returns all pages of the site but the first one: what people wrote, and what is made from the repository. */
export async function listSitePages(): Promise<SitePage[]> {
  return [
    ...listWrittenPages(),
    ...makeContractPages(),
    ...makeRequirementPages(),
    ...(await checkPages()),
    ...makeErrorPages(),
    ...makeCommandPages(),
    makeLimitsPage(),
    ...makeApiPages(),
    makeChangelogPage(),
  ];
}
