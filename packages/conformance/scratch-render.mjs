import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { renderHtml } from "./src/report/html.ts";
import { renderJunit } from "./src/report/junit.ts";
mkdirSync("/tmp/html", { recursive: true });
for (const [name, file] of [["conforming","report"],["failing","report-failing"],["cut","report-cut"],["awful","report-awful"]]) {
  const r = JSON.parse(readFileSync(`/tmp/${file}.json`, "utf8"));
  if (name === "cut") { for (const id of ["stream/nothing-after-done"]) { r.checks.find(c=>c.id===id).level="assumed"; } r.summary.warnings=1; }
  const h = renderHtml(r); writeFileSync(`/tmp/html/${name}.html`, h);
  writeFileSync(`/tmp/html/${name}.xml`, renderJunit(r));
  console.log(name, h.length);
}
