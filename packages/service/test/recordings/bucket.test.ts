import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startFauxqs } from "fauxqs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { startService } from "../../src/service.ts";
import { runHere } from "../command-line.ts";
import { readAnswer, startTestService } from "../running-service.ts";

let server: Awaited<ReturnType<typeof startFauxqs>>;
let bucket: string;
beforeAll(async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "of-the-tests");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret-of-the-tests");
  server = await startFauxqs({ port: 0, logger: false });
  server.createBucket("recordings");
  bucket = `s3://recordings?endpoint=${encodeURIComponent(server.address)}`;
});
afterAll(async () => {
  await server.stop();
  vi.unstubAllEnvs();
});

const patience = { timeout: 60_000, interval: 200 };

test("a service with a bucket keeps its recordings there, and its replays have the store's addresses", async () => {
  await using running = await startTestService({ bucket });
  const { session_id: id, recording } = await running.open();
  expect(recording).toMatchObject({ state: "recording" });
  const metrics = async (): Promise<string> => (await running.ask("GET", "/metrics")).text();
  expect(await metrics()).toMatch(/^cloud_browser_recording_shipping_lag_seconds [\d.]+$/mu);
  const files = `/control/sessions/${id}/files`;
  const { file_id } = await readAnswer<{ file_id: string }>(await running.ask("POST", `${files}?name=a.txt`, "text"));
  expect((await running.end(id)).recording?.state).toMatch(/^(?:encoding|ready)$/u);
  const replay = await vi.waitFor(async () => {
    const answer = await running.ask("GET", `/sessions/${id}/replay`);
    expect(answer.status).toBe(200);
    return readAnswer<{ mp4_url: string; playlist_content: string }>(answer);
  }, patience);
  expect(replay.mp4_url.startsWith(`${server.address}/recordings/recordings/${id}/replay-`)).toBe(true);
  const part = await fetch(replay.mp4_url, { headers: { range: "bytes=4-7" } });
  expect([part.status, await part.text()]).toEqual([206, "ftyp"]);
  const [segment = ""] = replay.playlist_content.match(/http\S+/u) ?? [];
  expect((await fetch(segment)).headers.get("content-type")).toBe("video/mp2t");
  const file = await running.ask("GET", `${files}/${file_id}`);
  expect(file.url.startsWith(`${server.address}/recordings/files/${id}/${file_id}?`)).toBe(true);
  expect([file.headers.get("content-disposition"), await file.text()]).toEqual([
    "attachment; filename=a.txt",
    '"text"',
  ]);
  const { sessions } = await readAnswer<{ sessions: readonly SessionView[] }>(
    await running.ask("GET", "/control/sessions"),
  );
  expect(sessions.map((one) => one.recording?.state)).toEqual(["ready"]);
});

test("a malformed address is refused before anything begins, and not echoed", async () => {
  await expect(startService({ bucket: "" })).rejects.toMatchObject({ code: "usage" });
  await expect(startService({ bucket: "s3://key:hunter2@bucket" })).rejects.toMatchObject({
    code: "usage",
    message: expect.not.stringContaining("hunter2"),
  });
  for (const name of ["a", "UPPER", "a_b", "-ab", "x".repeat(64)])
    await expect(startService({ bucket: `s3://${name}/x` })).rejects.toMatchObject({ code: "usage" });
  await expect(startService({ bucket: "s3://AKIAHUNTER:x@bucket" })).rejects.not.toThrow("AKIAHUNTER");
  const data = await mkdtemp(join(tmpdir(), "cb-bucket-"));
  const { code, stderr } = await runHere(["serve", "--port", "0", "--data", data], {
    CLOUD_BROWSER_BUCKET: "gs://bucket",
  });
  expect(await readdir(data)).toEqual([]);
  await rm(data, { recursive: true });
  expect(code).toBe(2);
  expect(stderr).toContain("malformed bucket address: give s3://bucket/prefix");
});
