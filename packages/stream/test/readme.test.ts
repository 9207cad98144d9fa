import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const folder = new URL("..", import.meta.url);
const readme = readFileSync(new URL("README.md", folder), "utf8");
const index = readFileSync(new URL("src/index.ts", folder), "utf8");

test("the README names every export", () => {
  const names = [...index.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = ""]) => list.split(","));
  const exported = names.map((name) => name.replace("type ", "").trim()).filter((name) => name !== "");
  expect(exported).toContain("readAutomationStream");
  expect(exported.filter((name) => !readme.includes(`\`${name}`))).toEqual([]);
});

test("the example of the README runs as it is", async () => {
  const code = /```ts\n([^]*?)```/.exec(readme)?.[1] ?? "";
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"type":"text_delta","delta":"At 14:20."}\ndata: {"type":"done","total_cost_usd":0.5}\n');
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const env = {
    ...process.env,
    CLOUD_BROWSER_AUTOMATION_URL: `http://127.0.0.1:${port}`,
    CLOUD_BROWSER_API_KEY: "key",
  };
  const args = ["--conditions=@cloud-browser/source", "--input-type=module-typescript", "--eval", code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: fileURLToPath(folder), env });
  server.closeAllConnections();
  server.close();
  expect(stdout).toBe("At 14:20.\ndone for 0.5 USD\n");
});
