import { afterAll, beforeAll, expect, test } from "vitest";
import { startExampleService } from "../../servers/example-service.ts";
import type { LocalServer } from "../../servers/listen.ts";
import { countCalls, listExpectedLines, programs, runProgram, startsProcess } from "./run-program.ts";

let service: LocalServer;
beforeAll(async () => {
  service = await startExampleService();
});
afterAll(() => service[Symbol.asyncDispose]());

test.for(programs)("the program %s says what it prints", (program) => {
  expect(listExpectedLines(program)).toHaveLength(countCalls(program));
  expect(countCalls(program)).toBeGreaterThan(0);
});

test.for(programs.filter((program) => !startsProcess(program)))(
  "the program %s of a docstring prints what it says",
  async (program) => {
    const lines = await runProgram(program, service.url);
    expect(lines).toEqual(listExpectedLines(program).map((pattern) => expect.stringMatching(pattern)));
  },
);
