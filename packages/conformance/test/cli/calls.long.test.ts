import { describe, expect, test } from "vitest";
import { key, ownFolder, session } from "./own-folder.ts";

const folder = ownFolder();
const { conformance } = folder;

describe("a wrong call ends with exit code 2 and a sentence that says what to do:", () => {
  const calls: readonly (readonly [name: string, args: string[], says: string, env?: Record<string, string>])[] = [
    ["an unknown flag", ["run", "--base-ur", "x"], "unknown option '--base-ur'"],
    ["an unknown command", ["walk"], 'unknown command "walk"'],
    ["an unknown target", ["run", "--target", "staging"], "the embedded targets are prism and service"],
    ["no key", ["run", "--base-url", "http://127.0.0.1:1", ...session], "CLOUD_BROWSER_API_KEY is not set"],
    [
      "no key in the variable that was named",
      ["run", "--base-url", "http://127.0.0.1:1", "--api-key-env", "STAGING_KEY", ...session],
      "STAGING_KEY is not set",
    ],
    ["no session", ["run", "--base-url", "http://127.0.0.1:1"], "--session-id is missing", key],
    ["a session id that is none", ["run", "--base-url", "http://h", "--session-id", ".."], "invalid session id", key],
    ["a base URL that is none", ["run", "--base-url", "localhost", ...session], "is not an absolute http(s) URL", key],
    [
      "a base URL of another scheme",
      ["run", "--base-url", "ftp://h", ...session],
      "is not an absolute http(s) URL",
      key,
    ],
    ["a base URL with credentials", ["run", "--base-url", "http://a:b@h", ...session], "contains credentials", key],
    [
      "a key that no header can carry",
      ["run", "--base-url", "http://h", ...session],
      "the API key",
      { CLOUD_BROWSER_API_KEY: "a\nb" },
    ],
    ["a live flag on the mock", ["run", "--session-id", "s"], "--session-id is for a live target"],
    ["both targets", ["run", "--target", "prism", "--base-url", "http://h"], "exclude each other"],
    [
      "half a run",
      ["run", "--max-runs", "0.5"],
      "the command line: --max-runs must be an integer of at least 0, and is 0.5",
    ],
    [
      "a timeout that is none",
      ["run", "--timeout", "soon"],
      '--timeout must be seconds, above 0 and at most 86400, and is "soon"',
    ],
    ["a profile that there is not", ["run", "--profile", "read"], "--profile must be one of free, read-only, full"],
    ["a report that there is not", ["run", "--report", "html,pdf"], "--report must be a list of html"],
    ["a header without a value", ["run", "--header", "x-a"], '--header must be "Name: value"'],
    [
      "the header of the key",
      ["run", "--base-url", "http://h", "--header", "authorization: Bearer x"],
      '"headers" has authorization; put the API key',
    ],
    ["a configuration that is not there", ["run", "--config", "gone.yaml"], "gone.yaml could not be read"],
    [
      "a selection of nothing",
      ["run", "--only", "scrape/jsn", "--base-url", "http://127.0.0.1:1", ...session],
      'no check and no requirement matches "scrape/jsn"; did you mean "scrape/json"',
      key,
    ],
    [
      "expected failures that are not there",
      ["run", "--expected-failures", "gone.yaml", "--base-url", "http://127.0.0.1:1", ...session],
      "or create one with --update-expected-failures",
      key,
    ],
    [
      "an update of no file",
      ["run", "--update-expected-failures", "--base-url", "http://127.0.0.1:1", ...session],
      "name it with --expected-failures",
      key,
    ],
  ];

  test.for(calls)("%s", async ([, args, says, env]) => {
    const { code, stderr } = await conformance(args, env);
    expect(stderr).toContain(says);
    expect(stderr).not.toContain("    at ");
    expect(code).toBe(2);
  });
});
