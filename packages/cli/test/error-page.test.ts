import { Readable, Writable } from "node:stream";
import { ClientError } from "@cloud-browser/client";
import { StreamError } from "@cloud-browser/stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { findErrorPage } from "../src/program/error-page.ts";
import { runProgram } from "../src/program/program.ts";
import { createTerminal } from "../src/terminal/terminal.ts";

const site = "https://docs.example/cb/";
const lost = new ClientError("network", "lost");

test.for([
  ["an error of a call", lost, site, "https://docs.example/cb/errors/client/#network"],
  ["an error of a stream", new StreamError("ended-early"), site, "https://docs.example/cb/errors/stream/#ended-early"],
  ["a site at the root", lost, "http://127.0.0.1:4321", "http://127.0.0.1:4321/errors/client/#network"],
  ["any other error", new Error("other"), site, undefined],
  ["no site", lost, undefined, undefined],
  ["what is no address", lost, "docs.example", undefined],
  ["another protocol", lost, "javascript:alert(1)", undefined],
  ["an address with credentials", lost, "https://me:hunter2@docs.example", undefined],
  ["an address with a query", lost, "https://docs.example/?a=hunter2", undefined],
] as const)("the page of an error: %s", ([, thrown, url, want]) => {
  expect(findErrorPage(thrown, { CLOUD_BROWSER_DOCS_URL: url })).toBe(want);
});

test("the program says after an error where it is explained", async () => {
  let output = "";
  const stderr = new Writable({
    write(chunk: Buffer, _, done) {
      output += chunk.toString();
      done();
    },
  });
  vi.stubEnv("CLOUD_BROWSER_API_KEY", "some-key");
  onTestFinished(() => void vi.unstubAllEnvs());
  const env = { CLOUD_BROWSER_API_KEY: "some-key", CLOUD_BROWSER_DOCS_URL: site };
  const terminal = createTerminal({ stdin: Readable.from([]), stdout: new Writable(), stderr, env });
  const { signal } = new AbortController();
  const code = await runProgram(["scrape", "..", "--base-url", "http://127.0.0.1:1"], {
    terminal,
    signal,
    interrupt: () => undefined,
  });
  expect([code, output.trim().split("\n").at(-1)]).toEqual([2, "See https://docs.example/cb/errors/client/#misuse"]);
});
