import manifest from "@cloud-browser/conformance/package.json" with { type: "json" };

/** Name of this package, for reports. Source: ours. */
export const suiteName = manifest.name;
/** Version of this package, for reports. Source: ours. */
export const suiteVersion = manifest.version;
/** Version of Prism that this version of the package was tried with. Source: ours. */
export const prismVersion = manifest.devDependencies["@stoplight/prism-cli"];
