#!/usr/bin/env node
// What any Node.js can read: the program itself is not, and would end in an error of syntax in an older one.
import manifest from "@cloud-browser/cli/package.json" with { type: "json" };

const needed = manifest.engines.node.replace(">=", "");
if (process.versions.node.localeCompare(needed, "en", { numeric: true }) >= 0) {
  const { runInProcess } = await import("./program/run-in-process.ts");
  await runInProcess();
} else {
  console.error(`cloud-browser: it needs Node.js ${needed} or later, this is ${process.versions.node}`);
  process.exitCode = 2;
}
