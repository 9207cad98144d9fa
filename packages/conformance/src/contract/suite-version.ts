import manifest from "@cloud-browser/conformance/package.json" with { type: "json" };

/** Name of this package, for reports. */
export const suiteName = manifest.name;
/** Version of this package, for reports. */
export const suiteVersion = manifest.version;
/** Version of Prism that this package is tested with. */
export const prismVersion = manifest.devDependencies["@stoplight/prism-cli"];
