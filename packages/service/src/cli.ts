#!/usr/bin/env node
// What any Node.js can read: the program itself is not, and would end in an error of syntax in an older one.
import manifest from "@cloud-browser/service/package.json" with { type: "json" };

const required = manifest.engines.node.replace(">=", "");
if (process.versions.node.localeCompare(required, "en", { numeric: true }) >= 0) {
  const { runProgram } = await import("./cli/program.ts");
  await runProgram();
} else {
  console.error(`cloud-browser: it needs Node.js ${required} or later, this is ${process.versions.node}`);
  process.exitCode = 2;
}
