import { describe, expect, test } from "vitest";
import { redactAddress } from "../../src/redaction/shown-address.ts";
import { key, ownFolder } from "./own-folder.ts";

const folder = ownFolder();

const secret = "pw-0a1b2c3d";
/** One that could be the name of a variable. */
const apiKey = "pw_0a1b2c3d";

/** What a call is given beside its words. */
interface Surroundings {
  readonly env?: Record<string, string>;
  /** Content of `given.json` and `given.yaml`; an object as JSON. */
  readonly file?: object | string;
}

/** Calls, whose words a shell would split likewise, and a part of what each prints. */
type Call = readonly [name: string, line: string, says: string, surroundings?: Surroundings];

const live = "--base-url http://h --session-id s";
const open = `curl -H "Authorization: Bearer ${secret}" https://api.example/open`;

const wrong: readonly Call[] = [
  ["an unknown flag", "run --base-ur x", "unknown option '--base-ur'"],
  ["an unknown command", "walk", 'unknown command "walk"'],
  ["an unknown target", "run --target staging", "the embedded targets are prism and service"],
  ["two targets with one file of known failures", `--target prism --target service ${update("x")}`, "name one with"],
  ["no key", `run ${live}`, "CLOUD_BROWSER_API_KEY is not set"],
  ["no key in the variable that was named", `run ${live} --api-key-env STAGING_KEY`, "STAGING_KEY is not set"],
  ["no session", "run --base-url http://h", "--session-id is missing", { env: key }],
  ["a session id that is none", "run --base-url http://h --session-id ..", "invalid session id", { env: key }],
  ["a base URL that is none", "run --base-url h --session-id s", "not an absolute http(s) URL", { env: key }],
  ["another scheme", "run --base-url ftp://h --session-id s", "not an absolute http(s) URL", { env: key }],
  ["credentials in an address", "run --base-url http://a:b@h --session-id s", "contains credentials", { env: key }],
  ["a key that no header can carry", `run ${live}`, "the API key", { env: { CLOUD_BROWSER_API_KEY: "a\nb" } }],
  [
    "a host that is none, as the suite itself says",
    `run --base-url http://h --session-command '${open}{url}' --site-host a_b`,
    'invalid host "a_b"; give a name or an IPv4 address, with or without :port (--site-host)',
    { env: key },
  ],
  ["a live flag on the mock", "run --session-id s", "--session-id is for a live target"],
  ["both targets", "run --target prism --base-url http://h", "exclude each other"],
  ["half a run", "run --max-runs 0.5", "the command line: --max-runs must be an integer of at least 0, and is 0.5"],
  [
    "a timeout that is none",
    "run --timeout soon",
    '--timeout must be seconds, above 0 and at most 86400, and is "soon"',
  ],
  ["a report that there is not", "run --report html,pdf", "--report must be a list of html"],
  ["a header without a value", "run --header x-a", '--header must be "Name: value"'],
  [
    "the header of the key",
    "run --base-url http://h --header 'authorization: Bearer x'",
    '"headers" has authorization',
  ],
  ["a configuration that is not there", "run --config gone.yaml", "gone.yaml could not be read"],
  ["a selection of nothing", `run --only scrape/jsn ${live}`, 'did you mean "scrape/json"', { env: key }],
  ["no known failures", `run --expected-failures gone ${live}`, "or create one with --update", { env: key }],
  ["an update of no file", `run --update-expected-failures ${live}`, "name it with --expected-failures", { env: key }],
];

function update(file: string): string {
  return `--update-expected-failures --expected-failures ${file}`;
}

/** Calls that would show a secret if a message quoted what is wrong. */
const secretive: readonly Call[] = [
  [
    "a session command without {url}",
    `run --base-url http://h --session-command '${open}'`,
    "{url} in it, and is some",
  ],
  ["one of the file", "run --config given.json", "{url} in it, and is some", { file: { sessionCommand: open } }],
  ["an end command that is none", "config --config given.json", "a command", { file: { endSessionCommand: [open] } }],
  ["an address that is none", "config --config given.json", "a string", { file: { automationUrl: [secret] } }],
  ["an address without a scheme", `run --base-url u:${secret}@h --session-id s`, "not an absolute", { env: key }],
  ["a header without a colon", `run --header 'X-Token ${secret}'`, '--header must be "Name: value"'],
  ["a key that has no flag", `run --api-key=${secret}`, "unknown option '--api-key'"],
  ["a flag of another program", `config '-HX-Token: ${secret}'`, "unknown option '-H'"],
  ["an address in the place of a command", `run http://u:${secret}@h`, "unknown command"],
  ["an address in the place of a name", `run --target http://u:${secret}@h`, "are prism and service"],
  ["a key in the place of its variable", `run ${live} --api-key-env ${secret}`, "the name of an environment variable"],
  ["a key that could be a variable", `run ${live} --api-key-env ${apiKey}`, "put the API key there"],
  ["broken JSON", "config --config given.json", "read: Unexpected token 'p'", { file: `{"k":${secret}}` }],
  [
    "broken YAML",
    "config --config given.yaml",
    "given.yaml could not be read: line 3 ",
    { file: `a:\n  b: "${secret}\n` },
  ],
];

test.for([...wrong, ...secretive])("%s ends with exit code 2 and a sentence", async ([, line, says, surroundings]) => {
  const { code, stdout, stderr } = await call(line, surroundings);
  expect(stderr).toContain(says);
  expect(stderr).not.toContain("    at ");
  expectNoSecret(stdout + stderr);
  expect(code).toBe(2);
});

/** Settings with a secret in them, and a part of what `config` shows instead. */
const settings: readonly Call[] = [
  ["a password in the file", "", "[redacted]", { file: { baseUrl: `http://u:${secret}@h/` } }],
  ["a name in the file", "", "[redacted]", { file: { baseUrl: `http://${secret}@h/` } }],
  ["a query in a flag", `--base-url http://h/?k=${secret}`, "[redacted]"],
  ["a fragment", "", "[redacted]", { env: { CLOUD_BROWSER_BASE_URL: `http://h/#${secret}` } }],
  [
    "a password in the environment",
    "",
    "[redacted]",
    { env: { CLOUD_BROWSER_AUTOMATION_URL: `https://u:${secret}@h/` } },
  ],
  ["a password without a scheme", `--base-url u:${secret}@h`, "[redacted]"],
  ["a password with a slash", `--base-url http://u:p/${secret}@h/`, "[redacted]"],
  ["a variable in a command", `--base-url http://h --session-command 'KEY=${secret} curl {url}'`, "the rest may hold"],
  ["a key that stands where its variable should", `--api-key-env ${apiKey}`, "is not set"],
  ["a command with a tab", `--base-url http://h --end-session-command 'curl\t${secret}'`, "curl … (the rest may hold"],
];

describe.for(["", " --json"])("config%s", (json) => {
  test.for(settings)("does not show %s", async ([, flags, says, { file = {}, ...rest } = {}]) => {
    const { code, stdout, stderr } = await call(`config --config given.json ${flags}${json}`, { file, ...rest });
    expectNoSecret(stdout + stderr);
    expect(stdout).toContain(says);
    expect(code).toBe(0);
  });
});

test("config shows each command with its own beginning", async () => {
  const commands = "--session-command 'open-it {url}' --end-session-command '/bin/end {id}'";
  const { stdout } = await call(`config --base-url http://h ${commands}`);
  expect(stdout).toMatch(/^sessionCommand +flag +open-it … /m);
  expect(stdout).toMatch(/^endSessionCommand +flag +\/bin\/end … /m);
});

test.for(["http://h", "https://api.example.com:8443/a/@b/", "localhost", "ftp://h"])("%s is shown as it is", (text) => {
  expect(redactAddress(text)).toBe(text);
});

/** Calls the CLI with the words of a line, of which those in single quotes may hold spaces. */
function call(line: string, { env = {}, file }: Surroundings = {}): ReturnType<typeof folder.conformance> {
  if (file !== undefined) for (const name of ["given.json", "given.yaml"]) folder.write(name, file);
  const words = line.match(/'[^']*'|\S+/g) ?? [];
  return folder.conformance(
    words.map((word) => word.replaceAll("'", "")),
    env,
  );
}

/** Neither of them may be shown. */
function expectNoSecret(text: string): void {
  expect(text).not.toContain(secret);
  expect(text).not.toContain(apiKey);
}
