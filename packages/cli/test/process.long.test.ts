/** What only a process shows: pipes that close, signals, the version of Node.js. */
import { once } from "node:events";
import { expect, test } from "vitest";
import { answerJson, makeSample, startFake, type Answer, type FakeService } from "./fake-service.ts";
import { startCommand } from "./run-cli.ts";

const id = "0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b";
const endless: Answer = (_, response) => {
  response.writeHead(200, { "content-type": "text/event-stream", "x-service-run-id": id });
  let nth = 0;
  const write = (): void => {
    if (response.destroyed) return;
    nth += 2;
    const two = `id: ${nth - 1}\ndata: {"type":"tool_start","name":"wait"}\n\nid: ${nth}\ndata: {"type":"tool_result","content":"step ${nth}"}\n\n`;
    response.write(two, () => setTimeout(write, 20));
  };
  write();
};

/** A server with a run that does not end, and many sessions. */
async function startServing(): Promise<FakeService> {
  const sessions = Array.from({ length: 1_000 }, () => makeSample("Session"));
  return startFake({
    "GET /control/sessions": answerJson({ sessions }),
    "POST /api/automation/start": endless,
    [`POST /control/runs/${id}/cancel`]: answerJson({ cancelled: true }),
  });
}

const makeEnv = ({ url }: FakeService): Record<string, string> => ({
  CLOUD_BROWSER_BASE_URL: url,
  CLOUD_BROWSER_API_KEY: "k",
});

test("a reader that goes after the first lines is no failure", async () => {
  await using service = await startServing();
  const { process: child, end } = startCommand(["ls", "--json"], makeEnv(service));
  if (child.stdout === null) throw new Error("it has no output");
  await once(child.stdout, "data");
  child.stdout.destroy();
  expect(await end).toMatchObject({ code: 0, stderr: "" });
});

test("output that is closed from the beginning is none either", async () => {
  await using service = await startServing();
  const { process: child, end } = startCommand(["ls"], makeEnv(service));
  child.stdout?.destroy();
  expect((await end).code).toBe(0);
});

test("a run whose events nobody reads any more is cancelled", async () => {
  await using service = await startServing();
  const { process: child, end } = startCommand(["automate", "x", "--events"], makeEnv(service));
  if (child.stdout === null) throw new Error("it has no output");
  await once(child.stdout, "data");
  child.stdout.destroy();
  expect((await end).code).toBe(0);
  expect(service.requests).toContain(`POST /control/runs/${id}/cancel`);
});

test.each(["SIGINT", "SIGTERM"] as const)("%s cancels a run, also when nobody reads its progress", async (signal) => {
  await using service = await startServing();
  const { process: child, end } = startCommand(["automate", "x"], makeEnv(service));
  if (child.stderr === null) throw new Error("it has no output");
  await once(child.stderr, "data");
  child.stderr.destroy();
  child.kill(signal);
  expect((await end).code).toBe(130);
  expect(service.requests).toContain(`POST /control/runs/${id}/cancel`);
});
