import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession, startConsole, type ConsoleFixture } from "./console-fixture.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await startConsole(() => `<!doctype html><title>Shop</title><h1>Shop</h1>`);
});
afterAll(() => fixture[Symbol.asyncDispose]());

test("who was refused the control is offered it, not to give it back, and takes it when the other one has left it", async () => {
  const { page: one } = await fixture.signIn();
  const { page: other } = await fixture.signIn();
  await openSession(one, fixture.site, "Shop");
  await one.getByRole("button", { name: "Take control" }).click();
  await one.getByText("You have the control").waitFor();

  await other.goto(one.url());
  await other.getByText("Another person has the control").waitFor();
  await other.getByRole("button", { name: "Take control" }).click();
  await other.getByRole("button", { name: "Take it from them" }).waitFor();
  expect(await other.getByRole("button", { name: "Give it back" }).count()).toBe(0);

  await one.getByRole("button", { name: "Give it back" }).click();
  await other.getByText("Programs and automations go on").waitFor();
  await other.getByRole("button", { name: "Take control" }).click();
  await other.getByText("You have the control").waitFor();
  await one.getByText("Another person has the control").waitFor();
});
