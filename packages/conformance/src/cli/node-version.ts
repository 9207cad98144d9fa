import manifest from "@cloud-browser/conformance/package.json" with { type: "json" };

// The entry points import this first. Builds are compiled to syntax that older versions can parse, so that they get as far as here.
const needed = manifest.engines.node.replace(">=", "");
if (process.versions.node.localeCompare(needed, "en", { numeric: true }) < 0)
  throw new Error(
    `@cloud-browser/conformance needs Node.js ${needed} or later; this is Node.js ${process.versions.node}`,
  );
