import manifest from "@cloud-browser/service/package.json" with { type: "json" };

/** Version of this package. */
export const serviceVersion = manifest.version;
