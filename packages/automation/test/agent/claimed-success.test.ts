import { expect, test } from "vitest";
import { findMissingStep } from "../../src/agent/claimed-success.ts";
import type { Step } from "../../src/task/step.ts";

const after = (task: string, actions: readonly Step["action"][] = [], hasRead = false): boolean =>
  findMissingStep(task, { actions: new Set(actions), hasRead }) === undefined;

test.each<[task: string, actions: readonly Step["action"][], hasRead?: boolean]>([
  ["Transfer 50 to Kim", []],
  ["Transfer 50 to Kim", ["open", "extract"], true],
  ["Go to the shop and buy a kettle", ["open"]],
  ["What does the ferry cost?", []],
  ["Open example.com", []],
  ["Überweise 50 an Kim", ["open"]],
  ["把车订好", []],
])("%s, after %j: not done", (task, actions, hasRead) => expect(after(task, actions, hasRead)).toBe(false));

test.each<[task: string, actions: readonly Step["action"][], hasRead?: boolean]>([
  ["Transfer 50 to Kim", ["open", "fill", "click"]],
  ["What does the ferry cost?", ["open", "extract"]],
  ["What does the ferry cost?", [], true],
  ["What is 2 + 2?", []],
  ["Was ist 1 + 1?", []],
  ["Hello!", []],
  ["List the open orders", ["open"], true],
])("%s, after %j: may be done", (task, actions, hasRead) => expect(after(task, actions, hasRead)).toBe(true));
