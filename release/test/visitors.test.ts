import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { repositoryRoot } from "../src/workspace.ts";

const read = (path: string): string => readFileSync(join(repositoryRoot, path), "utf8");
const templates = ".github/ISSUE_TEMPLATE";
const forms = readdirSync(join(repositoryRoot, templates)).filter((name) => name !== "config.yml");
const pages = ["SECURITY.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", ".github/PULL_REQUEST_TEMPLATE.md"];

/** An issue form, as far as GitHub refuses others: https://docs.github.com/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-issue-forms */
const validations = z.strictObject({ required: z.boolean() }).optional();
const text = { label: z.string().min(1), description: z.string().optional(), placeholder: z.string().optional() };
const id = z.string().regex(/^[\w-]+$/);
const formForm = z.strictObject({
  name: z.string().min(4),
  description: z.string().min(4),
  labels: z.array(z.string()),
  body: z
    .array(
      z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("markdown"), attributes: z.strictObject({ value: z.string() }) }),
        z.strictObject({ type: z.literal("input"), id, attributes: z.strictObject(text), validations }),
        z.strictObject({
          type: z.literal("textarea"),
          id,
          attributes: z.strictObject({ ...text, render: z.string().optional() }),
          validations,
        }),
        z.strictObject({
          type: z.literal("dropdown"),
          id,
          attributes: z.strictObject({ label: z.string(), options: z.array(z.string()).min(1) }),
          validations,
        }),
      ]),
    )
    .refine((fields) => fields.some(({ type }) => type !== "markdown")),
});

const listRequiredFields = (form: string): string[] =>
  formForm
    .parse(parse(read(`${templates}/${form}`)))
    .body.flatMap((field) => ("id" in field && field.validations?.required ? [field.id] : []));

test.each(forms)("the issue form %s is one that GitHub takes, with names of its own", (form) => {
  const { body } = formForm.parse(parse(read(`${templates}/${form}`)));
  const ids = body.flatMap((field) => ("id" in field ? [field.id] : []));
  expect(new Set(ids).size).toBe(ids.length);
});

test("who tells of a wrong verdict is asked for the report, the exchange and the sentence", () => {
  expect(listRequiredFields("wrong-verdict.yml")).toEqual(
    expect.arrayContaining(["check", "sentence", "exchange", "report"]),
  );
  const [, check = ""] = /placeholder: (\S+\/\S+)/.exec(read(`${templates}/wrong-verdict.yml`)) ?? [];
  expect(read("spec/requirements.yaml")).toContain(check);
});

test("no form lets who has found a weak point tell it to everybody", () => {
  expect(parse(read(`${templates}/config.yml`))).toEqual({ blank_issues_enabled: false });
  expect(read(`${templates}/config.yml`)).toContain("SECURITY.md");
});

test.each(pages)("%s has no dead link, and no address that nobody has", (page) => {
  const links = [...read(page).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, target = ""]) => target);
  const dead = links.filter(
    (target) => !target.includes(":") && !existsSync(join(repositoryRoot, dirname(page), target)),
  );
  expect(dead).toEqual([]);
  expect(read(page)).not.toMatch(/[\w.]+@[\w-]+\.\w+|OWNER|TODO|github\.com\/(?!actions)/);
});

test("the container for development has the Node.js that the packages need, and says what runs first", () => {
  const container = z
    .looseObject({ image: z.string(), postCreateCommand: z.string() })
    .parse(JSON.parse(read(".devcontainer/devcontainer.json").replaceAll(/^\s*\/\/.*$/gm, "")));
  const [, major = ""] = /javascript-node:(\d+)/.exec(container.image) ?? [];
  const { engines }: { engines: { node: string } } = JSON.parse(read("packages/service/package.json"));
  expect(engines.node).toMatch(new RegExp(`^>=${major}\\.`));
  expect(container.postCreateCommand).toMatch(/^npm start/);
});
