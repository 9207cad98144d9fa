import type { Locator, Page } from "playwright-core";
import { generalize } from "../../src/generalization/generalize.ts";
import { recordTarget } from "../../src/targets/record-target.ts";
import type { Step } from "../../src/task/step.ts";
import { escapeTemplate } from "../../src/task/template.ts";
import type { FunctionRecord } from "../../src/functions/function-record.ts";
import { account } from "@cloud-browser/testing/automation/site.ts";
import { createRecord, type Place } from "./workplace.ts";

/** Performs steps one by one as a worker does, each planned on the page as it is then; gives them with lasting targets. */
async function perform(place: Place, plans: readonly ((page: Page) => Step | Promise<Step>)[]): Promise<Step[]> {
  const steps: Step[] = [];
  for (const plan of plans) {
    const step = await plan(place.page);
    await place.perform(step);
    steps.push(step);
  }
  return steps;
}

/** A text with whatever could be mistaken for something else. */
const about = 'Says "hello" to {{you}} & \\ others';

const on = async (locator: Locator) => ({ target: await recordTarget(locator) });

/** A function that searches for products and reads the table of all pages. */
export async function recordSearch(place: Place, site: string): Promise<FunctionRecord> {
  const steps = await perform(place, [
    () => ({ action: "open", url: `${site}/products` }),
    async (page) => ({ action: "fill", ...(await on(page.getByLabel("Search"))), value: "Lamp" }),
    async (page) => ({ action: "click", ...(await on(page.getByRole("button", { name: "Search" }))) }),
    async (page) => ({
      action: "extract",
      name: "results",
      what: { kind: "table" },
      ...(await on(page.getByRole("table"))),
      nextPage: { ...(await on(page.getByRole("link", { name: "Next" }))), most: 10 },
    }),
  ]);
  const query = "Search for Lamp and extract the table of all pages";
  return createRecord([], { query, ...generalize(steps, [{ name: "term", value: "Lamp" }]) });
}

/** A function that signs in and reads the orders; its password is a secret. */
export async function recordLogin(place: Place, site: string): Promise<FunctionRecord> {
  const steps = await perform(place, [
    () => ({ action: "open", url: `${site}/login` }),
    async (page) => ({ action: "fill", ...(await on(page.getByLabel("User"))), value: account.user }),
    async (page) => ({ action: "fill", ...(await on(page.getByLabel("Password"))), value: account.password }),
    async (page) => ({ action: "check", ...(await on(page.getByLabel("Stay signed in"))), checked: true }),
    async (page) => ({ action: "click", ...(await on(page.getByRole("button", { name: "Sign in" }))) }),
    async (page) => ({
      action: "extract",
      name: "orders",
      what: { kind: "list" },
      ...(await on(page.getByRole("list"))),
    }),
  ]);
  const values = [
    { name: "user", value: account.user },
    { name: "password", value: account.password, isSecret: true },
  ];
  const generalization = generalize(steps, values);
  return createRecord([], {
    function_name: "read_orders",
    query: `Log in as ${account.user} with password "${account.password}"`,
    ...generalization,
  });
}

/** A function that fills in the long form, and reads what was received. */
export async function recordForm(place: Place, site: string): Promise<FunctionRecord> {
  const steps = await perform(place, [
    () => ({ action: "open", url: `${site}/form` }),
    async (page) => ({ action: "fill", ...(await on(page.getByLabel("Full name"))), value: "Ada Byron" }),
    async (page) => ({ action: "fill", ...(await on(page.getByLabel("First day"))), value: "2026-12-01" }),
    async (page) => ({ action: "select", ...(await on(page.getByLabel("Country"))), option: "France" }),
    async (page) => ({ action: "check", ...(await on(page.getByLabel("Phone"))), checked: true }),
    async (page) => ({ action: "check", ...(await on(page.getByLabel("I accept the terms"))), checked: true }),
    async (page) => ({ action: "fill", ...(await on(page.getByLabel("About you"))), value: escapeTemplate(about) }),
    async (page) => ({ action: "click", ...(await on(page.getByRole("button", { name: "Send" }))) }),
    () => ({ action: "extract", name: "received", what: { kind: "list" } }),
  ]);
  const values = [
    { name: "name", value: "Ada Byron" },
    { name: "country", value: "France" },
    { name: "about", value: about },
  ];
  return createRecord([], {
    function_name: "apply",
    query: "Fill in the form\nand send it */",
    ...generalize(steps, values),
  });
}

const truth = (page: Page, name: string): Locator => page.locator(`[data-truth="${name}"]`);

/** A function that does many things on the shop page, whose layout changes. */
export async function recordShop(place: Place, site: string): Promise<FunctionRecord> {
  const steps = await perform(place, [
    () => ({ action: "open", url: `${site}/shop?layout=0` }),
    async (page) => ({ action: "fill", ...(await on(truth(page, "query"))), value: "reading lamp" }),
    async (page) => ({ action: "select", ...(await on(truth(page, "category"))), option: "Books" }),
    async (page) => ({ action: "click", ...(await on(truth(page, "search"))) }),
    async (page) => ({ action: "fill", ...(await on(truth(page, "mail"))), value: "ada@example.org" }),
    async (page) => ({ action: "check", ...(await on(truth(page, "remember"))), checked: true }),
    async (page) => ({ action: "click", ...(await on(truth(page, "edit-1"))) }),
    async (page) => ({ action: "click", ...(await on(truth(page, "oak"))) }),
    async (page) => ({
      action: "extract",
      name: "customers",
      what: { kind: "table" },
      ...(await on(truth(page, "table"))),
    }),
  ]);
  const values = [
    { name: "term", value: "reading lamp" },
    { name: "mail", value: "ada@example.org" },
  ];
  return createRecord([], { function_name: "use_shop", query: "Use the shop", ...generalize(steps, values) });
}
