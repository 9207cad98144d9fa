#!/usr/bin/env node
// What any Node.js can read: the program itself is not, and would end in an error of syntax in an older one.
import manifest from "@cloud-browser/conformance/package.json" with { type: "json" };

const needed = manifest.engines.node.replace(">=", "");
if (process.versions.node.localeCompare(needed, "en", { numeric: true }) >= 0) {
  const { runProgram } = await import("./cli/program.ts");
  await runProgram();
} else {
  console.error(`conformance: needs Node.js ${needed} or later; this is Node.js ${process.versions.node}`);
  process.exitCode = 2;
}
