import { expect, test, vi } from "vitest";
import { whileResponsive } from "../../src/pool/responsiveness.ts";

const never = (): Promise<never> => new Promise(() => undefined);
const silent = (): Error => new Error("silent");

test("work has its result while pings are answered, however long it takes, and no ping is sent afterwards", async () => {
  const ping = vi.fn<() => Promise<undefined>>(async () => undefined);
  const { promise, resolve } = Promise.withResolvers<string>();
  const watched = whileResponsive(promise, ping, 20, silent);
  await vi.waitUntil(() => ping.mock.calls.length > 1, { timeout: 60_000 });
  resolve("done");
  expect(await watched).toBe("done");
  const pings = ping.mock.calls.length;
  await new Promise((later) => setTimeout(later, 50));
  expect(ping.mock.calls.length).toBe(pings);
});

test("work of a browser that answers no ping is given up", async () => {
  await expect(whileResponsive(never(), never, 20, silent)).rejects.toThrow("silent");
});

test("work that fails is not mistaken for silence, nor is a ping that fails", async () => {
  await expect(whileResponsive(Promise.reject(new Error("full")), never, 20_000, silent)).rejects.toThrow("full");
  const work = new Promise<string>((resolve) => setTimeout(resolve, 100, "done"));
  expect(await whileResponsive(work, () => Promise.reject(new Error("gone")), 20, silent)).toBe("done");
});
