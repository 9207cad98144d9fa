import { parsePage, type SitePage } from "../page.ts";
import { listFiles, readText } from "../repository-pages.ts";

const sizes = ["major", "minor", "patch"];

/** Returns the page of all changelogs: what is not released yet, and what each version of a package brought. */
export function makeChangelogPage(): SitePage {
  const waiting = listFiles(".changeset/*.md")
    .filter((path) => !path.endsWith("README.md"))
    .flatMap((path) => {
      const [, front = "", words = ""] = /^---\n(.*?)\n?---\n(.*)$/s.exec(readText(path)) ?? [];
      return [...front.matchAll(/^["']?([^"'\n:]+)["']?:\s*(\w+)/gm)].map(([, name = "", size = ""]) => ({
        name,
        size,
        words: words.trim(),
      }));
    });
  const unreleased = [...Map.groupBy(waiting, ({ name }) => name)]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, changes]) => {
      const lines = changes
        .sort((a, b) => sizes.indexOf(a.size) - sizes.indexOf(b.size))
        .map(({ size, words }) => `- ${size}: ${words.replaceAll(/\s*\n\s*/g, " ")}`);
      return `### ${name}\n\n${lines.join("\n")}`;
    });
  const released = listFiles("spec/CHANGELOG.md", "packages/*/CHANGELOG.md").flatMap((path) => {
    const { title, body } = parsePage("changelog", path, readText(path).trimEnd().concat("\n"));
    return body === "" ? [] : [`## ${title}\n\n${body.replaceAll(/^(#+) /gm, "#$1 ")}`];
  });
  return {
    slug: "changelog",
    title: "Changelog",
    description: "What each version of the packages brought, and what is not released yet.",
    body: [
      ...(unreleased.length > 0 ? ["## Not released yet", ...unreleased] : []),
      ...(released.length > 0 ? released : ["No version is released yet."]),
    ].join("\n\n"),
  };
}
