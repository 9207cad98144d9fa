import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { fromCookiesTxt, toCookieHeader, toCookiesTxt, type Cookie } from "../../src/cookies.ts";
import { computePort } from "../port.ts";

function hasCurl(): boolean {
  try {
    execFileSync("curl", ["--version"]);
    return true;
  } catch {
    return false;
  }
}

function compareNames(one: Cookie, other: Cookie): number {
  return (one.name ?? "") < (other.name ?? "") ? -1 : 1;
}

const nextYear = Math.floor(Date.now() / 1000) + 300 * 86_400;
const common = {
  value: "v",
  domain: "a.example",
  hostOnly: true,
  path: "/",
  httpOnly: false,
  secure: false,
  expires: -1,
  session: true,
};
const cookies: Cookie[] = [
  { ...common, name: "plain" },
  { ...common, name: "wide", domain: ".a.example", hostOnly: false, httpOnly: true },
  { ...common, name: "secure", secure: true },
  { ...common, name: "deep", path: "/b" },
  { ...common, name: "sub", domain: "b.a.example" },
  { ...common, name: "lasting", expires: nextYear, session: false },
  { ...common, name: "over", expires: 1, session: false },
  { ...common, name: "odd", value: `"a=b, c" {#}` },
  { ...common, name: "empty", value: "" },
];

test("curl sends what the file says, and writes one that we can read", async ({ skip }) => {
  skip(!hasCurl(), "curl is not installed on this machine");
  const cookieHeaders: string[] = [];
  const server = createServer(({ headers }, response) => {
    cookieHeaders.push(headers.cookie ?? "");
    response.end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const port = computePort(server);
  const folder = await mkdtemp(join(tmpdir(), "cookies-"));
  try {
    const [file, output] = [join(folder, "cookies.txt"), join(folder, "written.txt")];
    await writeFile(file, toCookiesTxt(cookies).text);
    const hosts = ["a.example", "a.example/b/c", "b.a.example", "example"];
    for (const host of hosts) {
      const resolve = `${host.split("/")[0]}:${port}:127.0.0.1`;
      const url = `http://${host.replace(/(?=\/|$)/, `:${port}`)}`;
      await promisify(execFile)("curl", [
        "-q", // and nothing that who runs the tests has set in ~/.curlrc
        "-sS",
        "--noproxy",
        "*",
        "--resolve",
        resolve,
        "-b",
        file,
        "-c",
        output,
        url,
      ]);
      const { header } = toCookieHeader(cookies, url);
      expect(cookieHeaders.at(-1)?.split("; ").sort()).toEqual(header.split("; ").sort());
    }
    expect(cookieHeaders).toHaveLength(hosts.length);
    const back = fromCookiesTxt(await readFile(output, "utf8"));
    expect(back.losses).toEqual([]);
    expect(back.cookies.sort(compareNames)).toEqual(cookies.filter(({ name }) => name !== "over").sort(compareNames));
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
});
