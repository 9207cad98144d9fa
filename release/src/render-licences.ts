import type { BundledPackage } from "./bundled-code.ts";
import { licenceExceptions, type LicensedPart } from "./licences.ts";

/**
 * Renders which licences the parts of a release are under, as Markdown: how many of each, what is bundled into which package, and all parts.
 *
 * @param bundled - What is bundled into each package, by its name.
 */
export function renderLicences(
  parts: readonly LicensedPart[],
  bundled: ReadonlyMap<string, readonly BundledPackage[]>,
): string {
  const byLicence = Map.groupBy(parts, ({ license }) => license);
  const counts = [...byLicence].map(([license, under]): [string, number] => [license, under.length]);
  const bundledRows = [...bundled].flatMap(([owner, inner]) =>
    inner.map(({ name, version, license }) => [owner, `${name} ${version}`, license]),
  );
  const sections = [
    "# Licences",
    "Of all that is installed with the packages of this release, and of all that is bundled into them. The texts are in the packages themselves.",
    `| licence | parts |\n| --- | --- |\n${renderRows(counts.toSorted(([, a], [, b]) => b - a))}`,
    "## Bundled",
    bundledRows.length === 0
      ? "Nothing."
      : `| package | holds code of | licence |\n| --- | --- | --- |\n${renderRows(bundledRows)}`,
    "## Not permissive, and why all the same",
    licenceExceptions.map(({ name, license, reason }) => `- ${name}, ${license}: ${reason}.`).join("\n") || "Nothing.",
    "## Parts",
    `| part | version | licence |\n| --- | --- | --- |\n${renderRows(parts.map(({ name, version, license }) => [name, version, license]))}`,
  ];
  return `${sections.join("\n\n")}\n`;
}

function renderRows(cells: readonly (readonly (string | number)[])[]): string {
  return cells.map((row) => `| ${row.join(" | ")} |`).join("\n");
}
