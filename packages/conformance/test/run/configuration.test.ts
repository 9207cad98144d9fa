import { mkdtempSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkConfiguration, loadConfiguration, settingNames } from "../../src/configuration/configuration-file.ts";
import { resolveSettings } from "../../src/configuration/settings.ts";
import { settingRows } from "../../src/configuration/settings-table.ts";
import { ownFolder } from "../cli/own-folder.ts";

const folder = ownFolder();

/** A folder with one file in it. */
function folderWith(...files: readonly (readonly [name: string, text: string])[]): string {
  const place = mkdtempSync(join(folder.path, "case-"));
  for (const [name, text] of files) writeFileSync(join(place, name), text);
  return place;
}

describe("a configuration file is found and read", () => {
  const moduleText = 'export default { baseUrl: "http://h", maxRuns: 3 };\n';
  const files: Readonly<Record<string, string>> = {
    ts: `const runs: number = 3;\n${moduleText.replace("3", "runs")}`,
    mts: moduleText,
    js: moduleText,
    mjs: moduleText,
    json: '{ "baseUrl": "http://h", "maxRuns": 3 }',
    yaml: "baseUrl: http://h\nmaxRuns: 3\n",
    yml: "baseUrl: http://h\nmaxRuns: 3\n",
  };

  test.for(Object.entries(files))("conformance.config.%s", async ([extension, text]) => {
    const file = `conformance.config.${extension}`;
    const configuration = { baseUrl: "http://h", maxRuns: 3 };
    expect(await loadConfiguration(folderWith([file, text]))).toEqual({ configuration, file });
  });

  test("again after a module has changed, when that is asked for", async () => {
    const place = folderWith(["conformance.config.mjs", "export default { seed: 1 };"]);
    const seed = async (): Promise<unknown> => (await loadConfiguration(place, undefined, true)).configuration.seed;
    expect(await seed()).toBe(1);
    const file = join(place, "conformance.config.mjs");
    writeFileSync(file, "export default { seed: 2 };");
    utimesSync(file, 1, 1);
    expect(await seed()).toBe(2);
  });

  test("under any other name that is given", async () => {
    const place = folderWith(["staging.yaml", "seed: 7"]);
    const { configuration, file } = await loadConfiguration(place, "staging.yaml");
    expect([configuration, file]).toEqual([{ seed: 7 }, "staging.yaml"]);
  });

  test("and none is needed", async () => {
    expect(await loadConfiguration(folderWith())).toEqual({ configuration: {}, file: undefined });
  });

  test("and an empty one says nothing", async () => {
    const { configuration } = await loadConfiguration(folderWith(["conformance.config.yaml", ""]));
    expect(configuration).toEqual({});
  });
});

describe("a mistake in a configuration gets a sentence:", () => {
  const mistakes: readonly (readonly [name: string, text: string, says: string, file?: string])[] = [
    ["an unknown setting", "baseURL: http://h", '"baseURL" is not a setting; did you mean "baseUrl"?'],
    ["a stranger", "zzzzzz: 1", '"zzzzzz" is not a setting'],
    ["the key in YAML", "apiKey: abc", "the API key must not be in a file; put it into an environment"],
    ["the key in JSON", '{"apiKey":"abc"}', "the API key must not be in a file", "conformance.config.json"],
    ["a word for a number", "maxRuns: two", '"maxRuns" must be an integer of at least 0, and is "two"'],
    ["a part of a run", "maxRuns: 1.5", '"maxRuns" must be an integer of at least 0, and is 1.5'],
    ["a negative cost", "maxCostUsd: -1", '"maxCostUsd" must be a number of at least 0, and is -1'],
    ["no rate at all", "rate: 0", '"rate" must be a number above 0, and is 0'],
    [
      "a profile that is almost one",
      "profile: fre",
      'one of free, read-only, full, and is "fre"; did you mean "free"?',
    ],
    ["a text for a list", "only: scrape/*", '"only" must be a list of patterns, and is "scrape/*"'],
    ["a number in a list", "only: [5]", '"only" must be a list of patterns, and holds 5'],
    ["an unknown capability", "lacks: { stream: why }", 'unknown capability "stream"; did you mean "streams"?'],
    ["a reading that is almost one", "readings: { event.unknown-type: a }", 'did you mean "events.unknown-type"?'],
    ["a value that a reading lacks", "readings: { events.unknown-type: closd }", "use one of open, closed"],
    ["a reading of an object", "readings: { events.unknown-type: {} }", '"readings" must be an object of readings'],
    ["a word for strictness", "strict: yes", '"strict" must be true or false, and is "yes"'],
    ["a capability without a reason", 'lacks: { streams: "" }', '"lacks" must be an object of capabilities'],
    ["the header of the key", "headers: { AUTHORIZATION: x }", '"headers" has AUTHORIZATION; put the API key'],
    ["a session command without a place for the page", "sessionCommand: open", "a command with {url} in it"],
    ["a list instead of settings", "[1]", "it must hold an object of settings"],
    ["text that is no YAML", "a: [", "could not be read"],
    ["text that is no JSON", "{", "could not be read", "conformance.config.json"],
    ["a module that throws", "throw new Error('no')", "could not be read: no", "conformance.config.mjs"],
    ["a module without a default", "export {}", "an object of settings", "conformance.config.mjs"],
  ];

  test.for(mistakes)("%s", async ([, text, says, file = "conformance.config.yaml"]) => {
    const loaded = loadConfiguration(folderWith([file, text]));
    await expect(loaded).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(new RegExp(`^${file.replaceAll(".", "\\.")}`)),
    });
    await expect(loaded).rejects.toThrow(says);
  });

  test("each of them, in one go", () => {
    expect(() => checkConfiguration({ seed: -1, rate: 0, ouut: "x" }, "the file")).toThrow(
      /"seed" must[^]*"rate" must|"ouut" is not[^]*"seed" must/,
    );
  });

  test("never the value of a header", () => {
    expect(() => checkConfiguration({ headers: { "x-token": ["secret-value"] } }, "f")).toThrow(/^(?!.*secret-value)/);
  });

  test("two files of which either could be meant", async () => {
    const place = folderWith(["conformance.config.ts", "export default {}"], ["conformance.config.json", "{}"]);
    await expect(loadConfiguration(place)).rejects.toThrow("keep one of them");
  });

  test("a file that is not there", async () => {
    await expect(loadConfiguration(folderWith(), "gone.yaml")).rejects.toThrow("gone.yaml could not be read");
  });

  test("a file of another kind", async () => {
    await expect(loadConfiguration(folderWith(), "conformance.toml")).rejects.toThrow("unsupported configuration file");
  });
});

describe("the source of a setting", () => {
  const [flag, file] = [{ baseUrl: "http://flag" }, { baseUrl: "http://file" }];
  const rows: readonly (readonly [name: string, flags: object, variable: string, file: object, source: string])[] = [
    ["is the flag, whatever else is said", flag, "http://environment", file, "flag"],
    ["is the environment, before the file", {}, "http://environment", file, "environment"],
    ["is the file, before the default", {}, "", file, "file"],
    ["is the default at last", {}, "", {}, "default"],
  ];

  test.for(rows)("%s", ([, flags, variable, content, source]) => {
    const { settings } = resolveSettings(flags, { CLOUD_BROWSER_BASE_URL: variable }, content);
    const value = source === "default" ? "not set" : `http://${source}`;
    expect(settings.find(({ name }) => name === "baseUrl")).toEqual({ name: "baseUrl", source, value });
  });

  test("is told for every setting that there is", () => {
    const { settings } = resolveSettings({}, {}, {});
    const shown = settings.map(({ name }) => name);
    expect(shown.toSorted()).toEqual(settingNames.filter((name) => name !== "$schema").toSorted());
  });

  test("shows neither the key nor what looks like a secret", () => {
    const headers = { "x-region": "eu", "x-gateway-token": "gateway-secret", "x-id": "0123456789abcdef0123456789" };
    const sessionCommand = "./open --password hunter2 {url}";
    const { settings } = resolveSettings({ headers, sessionCommand }, { CLOUD_BROWSER_API_KEY: "key-secret" }, {});
    const text = JSON.stringify(settings);
    for (const secret of ["key-secret", "gateway-secret", "0123456789abcdef0123456789", "hunter2"]) {
      expect(text).not.toContain(secret);
    }
    expect(text).toContain("x-region: eu");
    expect(text).toContain("CLOUD_BROWSER_API_KEY (holds a key)");
  });
});

test("the documentation has every setting, with its flag and its default", () => {
  const page = readFileSync(new URL("../../../../docs/reference/settings.md", import.meta.url), "utf8");
  const rows = /<!-- settings -->(.*?)<!-- \/settings -->/s.exec(page)?.[1]?.split("\n") ?? [];
  const missing = settingRows.filter(([name, { flag = "", otherwise = "" }]) => {
    const row = rows.find((line) => line.includes(`\`${name}\``)) ?? "";
    return row === "" || !row.includes(flag) || !row.includes(otherwise);
  });
  expect(missing.map(([name]) => name)).toEqual([]);
});
