import manifest from "@cloud-browser/conformance/package.json" with { type: "json" };

/** Name and version of this package, for reports. Source: ours. */
export const suiteName = manifest.name;
export const suiteVersion = manifest.version;
