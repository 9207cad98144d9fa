import { expect, test } from "vitest";
import { listExpectedLines, programs, runProgram, startsProcess } from "./run-program.ts";

test.for(programs.filter(startsProcess))("the program %s of a docstring prints what it says", async (program) => {
  const lines = await runProgram(program, "http://127.0.0.1:9");
  expect(lines).toEqual(listExpectedLines(program).map((pattern) => expect.stringMatching(pattern)));
});
