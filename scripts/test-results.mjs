// Adds up what the tests of all packages came to: a line for each failure, and as the last line "1234 passed, 0 failed".
//
//   node scripts/test-results.mjs [--all | --forget]
//
// --all: with the long tests. --forget: before a run, removes the results of the last; turbo brings back those of what need not be repeated.
// A package whose tests left no results has not come to an end: it counts as one failure.
// Plain JavaScript, because the way in calls it before it knows that there is another Node.js.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const within = (folder) => readdirSync(join(root, folder)).map((name) => join(folder, name));
const folders = [...within("."), ...within("packages")].filter((folder) =>
  existsSync(join(root, folder, "package.json")),
);
const scripts = { quick: "test", long: "test:long" };
const resultsOf = (folder, project) => join(root, folder, "reports", `tests-${project}.json`);

if (process.argv.includes("--forget")) {
  for (const folder of folders) {
    for (const project of Object.keys(scripts)) rmSync(resultsOf(folder, project), { force: true });
  }
} else {
  addUp(process.argv.includes("--all") ? ["quick", "long"] : ["quick"]);
}

function addUp(projects) {
  let passed = 0;
  let failed = 0;
  for (const folder of folders) {
    const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    for (const project of projects.filter((name) => scripts[name] in (manifest.scripts ?? {}))) {
      const file = resultsOf(folder, project);
      if (existsSync(file)) {
        const results = JSON.parse(readFileSync(file, "utf8"));
        passed += results.passed;
        failed += results.failures.length;
        for (const failure of results.failures) console.log(`${folder}: ${failure}`);
      } else {
        failed += 1;
        console.log(`${folder}: "${scripts[project]}" did not come to an end`);
      }
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
