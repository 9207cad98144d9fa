import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runHere, type CommandResult } from "../run-cli.ts";
import { startTestService, type TestService } from "../../../service/test/running-service.ts";

let running: TestService;
let data: string;
const silent: CommandResult = { code: 0, stdout: "", stderr: "" };

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "cloud-browser-cli-profiles-"));
  running = await startTestService({ data, profiles: { keys: randomBytes(32).toString("base64") } });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await rm(data, { recursive: true });
});

const run = (...args: readonly string[]): Promise<CommandResult> => runHere([...args, "--data", data]);
const writeTestFile = async (name: string, text: string): Promise<string> => {
  const file = join(data, name);
  await writeFile(file, text);
  return file;
};
const state = {
  cookies: [
    {
      name: "sid",
      value: "s3cr3t",
      domain: ".shop.example",
      path: "/",
      expires: 4e9,
      httpOnly: true,
      secure: true,
      sameSite: "Lax",
    },
  ],
  origins: [{ origin: "https://shop.example", localStorage: [{ name: "theme", value: "dark" }] }],
};

test("profiles are imported, listed, shown, exported and deleted", async () => {
  expect(await run("profiles", "ls")).toMatchObject({ code: 0, stdout: expect.stringContaining("No profiles.") });
  const json = await writeTestFile("state.json", JSON.stringify(state));
  expect(await run("profiles", "import", "shop", json)).toEqual(silent);
  const txt = await writeTestFile(
    "cookies.txt",
    "# Netscape\nold.example\tFALSE\t/\tFALSE\t1\tsid\tx\nnew.example\tFALSE\t/\tFALSE\t0\ttheme\tdark\n",
  );
  expect(await run("profiles", "import", "other", txt)).toEqual({
    ...silent,
    stderr: "left out: 1 cookie has expired\n",
  });
  const again = await run("profiles", "import", "shop", json);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("set replace to true") });
  expect(await run("profiles", "import", "shop", json, "--replace")).toEqual(silent);

  const { stdout } = await run("profiles", "ls");
  expect(stdout.trimEnd().split("\n")).toEqual([
    expect.stringMatching(/^PROFILE {2}SAVED {13}LOGINS$/u),
    expect.stringMatching(/^other {4}\d{4}-\d\d-\d\d \d\d:\d\d {2}no login$/u),
    expect.stringMatching(/^shop {5}\d{4}-\d\d-\d\d \d\d:\d\d {2}shop\.example$/u),
  ]);
  const profile = await run("profiles", "show", "shop");
  expect(profile.stdout).toMatch(
    /^shop: \d+ bytes, saved [^,]+, used never\nshop\.example: login \(cookie\) since [\d: -]+, until 2096-10-02 07:06; 1 cookie, 1 entry of local storage\n$/u,
  );
  const exported = join(data, "out.json");
  expect(await run("profiles", "export", "shop", "--output", exported)).toEqual(silent);
  expect(JSON.parse(await readFile(exported, "utf8"))).toEqual(state);
  expect((await stat(exported)).mode & 0o777).toBe(0o600);
  expect(await run("profiles", "export", "shop", "--output", exported)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("name one that is not there"),
  });
  expect(JSON.parse((await run("profiles", "export", "shop")).stdout)).toEqual(state);
  expect(await run("profiles", "reencrypt")).toEqual({
    ...silent,
    stdout: "0 profiles encrypted with the first key\n",
  });
  expect(await run("profiles", "rm", "other")).toEqual(silent);
  expect(await run("profiles", "rm", "other")).toMatchObject({ code: 6, stderr: expect.stringContaining("404") });
});

test.each([
  ["broken.json", `{"cookies": [],\n "origins": ["s3cr3t" "x"]}`, "line 2"],
  ["cut.json", `{"cookies": [{"value": "s3cr3t`, "is not JSON"],
  ["cookies.txt", "# c\n\ns3cr3t in spaces\n", "line 3: it has 1 fields in place of 7"],
  [
    "state.json",
    `{"cookies": [{"name": "a", "value": "s3cr3t"}], "origins": []}`,
    "body.storage_state.cookies.0.domain",
  ],
])("%s that is not as it should be is refused with its place, and without a value", async (name, text, place) => {
  const refusal = await run("profiles", "import", "bad", await writeTestFile(name, text));
  expect(refusal).toMatchObject({ code: 2, stderr: expect.stringContaining(place) });
  expect(refusal.stderr).not.toContain("s3cr3t");
});

test("sessions are opened with a profile, to read it or to write it", async () => {
  const session = await run("open", "--profile", "mine", "--json");
  expect(JSON.parse(session.stdout)).toMatchObject({ profile: { name: "mine", mode: "write", outcome: "open" } });
  const { session_id: id }: { session_id: string } = JSON.parse(session.stdout);
  expect((await run("profiles", "ls")).stdout).toContain(`in use by ${id}`);
  expect(await run("open", "--profile", "mine")).toMatchObject({ code: 3, stderr: expect.stringContaining(id) });
  const reading = await run("open", "--profile", "mine:read", "--json");
  expect(JSON.parse(reading.stdout)).toMatchObject({ profile: { mode: "read" } });
  expect(await run("open", "--profile", "mine:append")).toMatchObject({ code: 2 });
  expect(await run("profiles", "rm", "mine")).toEqual({
    ...silent,
    stderr: `mine: the session ${id} goes on with it, and writes nothing back\n`,
  });
  await run("end", "--all");
});
