import { describe, expect, test } from "vitest";
import { key, ownFolder, session } from "./own-folder.ts";

const folder = ownFolder();
const { conformance } = folder;

describe("a wrong call ends with exit code 2 and a sentence that says what to do:", () => {
  const calls: readonly { name: string; args: string[]; env?: Record<string, string>; says: string }[] = [
    { name: "an unknown flag", args: ["run", "--base-ur", "x"], says: "unknown option '--base-ur'" },
    { name: "an unknown command", args: ["walk"], says: 'unknown command "walk"' },
    {
      name: "an unknown target",
      args: ["run", "--target", "staging"],
      says: "the embedded targets are prism and service",
    },
    {
      name: "no key",
      args: ["run", "--base-url", "http://127.0.0.1:1", ...session],
      says: "CLOUD_BROWSER_API_KEY is not set",
    },
    {
      name: "no key in the variable that was named",
      args: ["run", "--base-url", "http://127.0.0.1:1", "--api-key-env", "STAGING_KEY", ...session],
      says: "STAGING_KEY is not set",
    },
    {
      name: "no session",
      args: ["run", "--base-url", "http://127.0.0.1:1"],
      env: key,
      says: "--session-id is missing",
    },
    {
      name: "a session id that is none",
      args: ["run", "--base-url", "http://h", "--session-id", ".."],
      env: key,
      says: "invalid session id",
    },
    {
      name: "a base URL that is none",
      args: ["run", "--base-url", "localhost", ...session],
      env: key,
      says: "is not an absolute http(s) URL",
    },
    {
      name: "a base URL of another scheme",
      args: ["run", "--base-url", "ftp://h", ...session],
      env: key,
      says: "is not an absolute http(s) URL",
    },
    {
      name: "a base URL with credentials",
      args: ["run", "--base-url", "http://a:b@h", ...session],
      env: key,
      says: "contains credentials",
    },
    {
      name: "a key that no header can carry",
      args: ["run", "--base-url", "http://h", ...session],
      env: { CLOUD_BROWSER_API_KEY: "a\nb" },
      says: "the API key",
    },
    { name: "a live flag on the mock", args: ["run", "--session-id", "s"], says: "--session-id is for a live target" },
    { name: "both targets", args: ["run", "--target", "prism", "--base-url", "http://h"], says: "exclude each other" },
    {
      name: "half a run",
      args: ["run", "--max-runs", "0.5"],
      says: "the command line: --max-runs must be an integer of at least 0, and is 0.5",
    },
    {
      name: "a timeout that is none",
      args: ["run", "--timeout", "soon"],
      says: '--timeout must be seconds, above 0 and at most 86400, and is "soon"',
    },
    {
      name: "a profile that there is not",
      args: ["run", "--profile", "read"],
      says: "--profile must be one of free, read-only, full",
    },
    {
      name: "a report that there is not",
      args: ["run", "--report", "html,pdf"],
      says: "--report must be a list of html",
    },
    { name: "a header without a value", args: ["run", "--header", "x-a"], says: '--header must be "Name: value"' },
    {
      name: "the header of the key",
      args: ["run", "--base-url", "http://h", "--header", "authorization: Bearer x"],
      says: '"headers" has authorization; put the API key',
    },
    {
      name: "a configuration that is not there",
      args: ["run", "--config", "gone.yaml"],
      says: "gone.yaml could not be read",
    },
    {
      name: "a selection of nothing",
      args: ["run", "--only", "scrape/jsn", "--base-url", "http://127.0.0.1:1", ...session],
      env: key,
      says: 'no check and no requirement matches "scrape/jsn"; did you mean "scrape/json"',
    },
    {
      name: "expected failures that are not there",
      args: ["run", "--expected-failures", "gone.yaml", "--base-url", "http://127.0.0.1:1", ...session],
      env: key,
      says: "or create one with --update-expected-failures",
    },
    {
      name: "an update of no file",
      args: ["run", "--update-expected-failures", "--base-url", "http://127.0.0.1:1", ...session],
      env: key,
      says: "name it with --expected-failures",
    },
  ];

  test.for(calls)("$name", async ({ args, env, says }) => {
    const { code, stderr } = await conformance(args, env);
    expect(stderr).toContain(says);
    expect(stderr).not.toContain("    at ");
    expect(code).toBe(2);
  });
});
