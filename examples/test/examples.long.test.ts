import { once } from "node:events";
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { examples, quick } from "./examples.ts";
import { recipePages, getTold } from "./recipes/pages.ts";
import { runExample } from "./run-example.ts";

const others = examples.filter(({ file }) => !quick.includes(file));
test.for(others)("runs $file with nothing but a mock", async ({ file, want }) => {
  const result = await runExample(file);
  expect(result).toMatchObject({ code: 0, stderr: "", lines: want });
  const isRecipe = recipePages.some(({ program }) => program === file);
  expect(result.lines.join("\n")).toMatch(isRecipe ? getTold(file) : /./);
});

const billed = examples.filter((example) => /^(?:follow|spend)-/.test(example.file));
test.for(billed)("$file starts no run but those of its mock", async ({ file, want }) => {
  let requestCount = 0;
  const server = createServer((_, response) => {
    requestCount++;
    response.writeHead(401).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const env = { CLOUD_BROWSER_AUTOMATION_URL: `http://127.0.0.1:${port}` };
  expect(await runExample(file, env)).toMatchObject({ code: 0, lines: want });
  expect(requestCount).toBe(0);
  server.close();
});

const failures = [
  {
    file: "scrape.ts",
    status: 422,
    want: /^validation: .*\n- body\.selector: no\n$/,
  },
  { file: "cookies-and-replay.ts", status: 404, want: /^not-found: .*\n$/ },
  { file: "follow-automation.ts", status: 200, want: /^the run ended with error\n$/ },
];
test.for(failures)("runs $file against a given address, and fails with exit code 1", async ({ file, status, want }) => {
  const bodies: Record<number, string> = {
    200: 'data: {"type":"error","error":"x","detail":"y"}\n\n',
    422: '{"detail":[{"loc":["body","selector"],"msg":"no","type":"x"}]}',
  };
  const type = status === 200 ? "text/event-stream" : "application/json";
  const server = createServer((_, response) => {
    response.writeHead(status, { "content-type": type }).end(bodies[status] ?? "{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const env = { CLOUD_BROWSER_BASE_URL: `http://127.0.0.1:${port}`, CLOUD_BROWSER_API_KEY: "key" };
  expect(await runExample(file, env)).toMatchObject({ code: 1, stderr: expect.stringMatching(want) });
  server.close();
});
