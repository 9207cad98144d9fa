import manifest from "@cloud-browser/recorder/package.json" with { type: "json" };

/** Version of this package. */
export const recorderVersion = manifest.version;
