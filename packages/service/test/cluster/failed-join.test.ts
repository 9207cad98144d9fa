import { createServer } from "node:net";
import { expect, test } from "vitest";
import { startService } from "../../src/service.ts";

function listenOn(port: number): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      const close = (): Promise<void> => new Promise((closed) => server.close(() => closed()));
      resolve({ port: address !== null && typeof address === "object" ? address.port : port, close });
    });
  });
}

test("a service that can't join its cluster leaves its port", async () => {
  const { port, close } = await listenOn(0);
  await close();
  const cluster = { database: "postgres://127.0.0.1:1/none" };
  await expect(startService({ port, cluster, apiKey: "a-key-of-the-whole-cluster" })).rejects.toMatchObject({
    code: "storage-failed",
  });
  const again = await listenOn(port);
  expect(again.port).toBe(port);
  await again.close();
});
