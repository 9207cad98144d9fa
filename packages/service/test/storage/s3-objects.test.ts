import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { inspect } from "node:util";
import { startFauxqs } from "fauxqs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bucketAddress } from "../../src/storage/objects/bucket-address.ts";
import { S3ObjectStore, type S3Limits } from "../../src/storage/objects/s3-object-store.ts";
import { testObjectStore, type ObjectBackend } from "./object-contract.ts";

type Server = Awaited<ReturnType<typeof startFauxqs>>;

let server: Server;
beforeAll(async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "of-the-tests");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret-of-the-tests");
  server = await startFauxqs({ port: 0, logger: false });
});
afterAll(async () => {
  await server.stop();
  vi.unstubAllEnvs();
});

const limits: S3Limits = { connectMs: 500, answerMs: 500, attempts: 1 };
let buckets = 0;

async function open(path = "", on = server): Promise<S3ObjectStore> {
  buckets += 1;
  const bucket = `tests-${buckets}`;
  on.createBucket(bucket);
  return S3ObjectStore.open(bucketAddress(`s3://${bucket}${path}?endpoint=${encodeURIComponent(on.address)}`));
}

function start(path: string): () => Promise<ObjectBackend> {
  return async () => {
    const own = await startFauxqs({ port: 0, logger: false });
    const objects = await open(path, own);
    const stop = async (): Promise<void> => {
      objects.close();
      await own.stop();
    };
    return { objects, break: stop, [Symbol.asyncDispose]: stop };
  };
}

describe("objects in a bucket", () => {
  testObjectStore(start(""));

  test("have addresses from which anybody can read them, with ranges, until a moment", async () => {
    const objects = await open("/of/nodes");
    await objects.put("a/replay.mp4", Uint8Array.of(1, 2, 3, 4), "video/mp4");
    const address = await objects.presign("a/replay.mp4", Date.now() + 90_500);
    expect(Number(new URL(address).searchParams.get("X-Amz-Expires"))).toBe(90);
    expect(new URL(address).pathname).toMatch(/\/of\/nodes\/a\/replay\.mp4$/);
    expect(address).not.toContain("secret-of-the-tests");
    const whole = await fetch(address);
    expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    expect(new Uint8Array(await whole.arrayBuffer())).toEqual(Uint8Array.of(1, 2, 3, 4));
    const part = await fetch(address, { headers: { range: "bytes=1-2" } });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, "bytes 1-2/4"]);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(Uint8Array.of(2, 3));
    objects.close();
  });

  test("have addresses for a week at most, as the signature allows, and none that never ends", async () => {
    const objects = await open();
    const seconds = async (expiresAtMs: number): Promise<string | null> =>
      new URL(await objects.presign("a/b", expiresAtMs)).searchParams.get("X-Amz-Expires");
    expect(await seconds(Date.now() + 30 * 86_400_000)).toBe("604800");
    expect(await seconds(Date.now() - 1_000)).toBe("1");
    objects.close();
  });

  test("are listed and deleted where there are more than one request takes", async () => {
    const objects = await open();
    const keys = Array.from({ length: 1_100 }, (_, index) => `a/${index}`);
    for (let from = 0; from < keys.length; from += 50) {
      await Promise.all(keys.slice(from, from + 50).map((key) => objects.put(key, Uint8Array.of(1), "text/plain")));
    }
    expect(await objects.list("a")).toHaveLength(1_100);
    await objects.deleteAll("a");
    expect(await objects.list("a")).toEqual([]);
    objects.close();
  });
});

describe("objects below of a prefix", () => {
  testObjectStore(start("/of/nodes"));
});

describe("a store", () => {
  test("without the bucket says so", async () => {
    const objects = await S3ObjectStore.open(
      bucketAddress(`s3://nobody-s?endpoint=${encodeURIComponent(server.address)}`),
      limits,
    );
    const refusal = await objects.put("a/b", Uint8Array.of(1), "text/plain").catch((error: unknown) => error);
    expect(String(refusal)).toContain("NoSuchBucket, HTTP 404");
    expect(inspect(refusal, { depth: Infinity, showHidden: true })).not.toMatch(/secret-of-the-tests|Signature=/);
    objects.close();
  });

  test("that does not answer is given up on in time", async () => {
    const silent = createServer((socket) => socket.on("error", () => undefined).resume()).listen(0, "127.0.0.1");
    await once(silent, "listening");
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
    const { port } = silent.address() as AddressInfo;
    const objects = await S3ObjectStore.open(bucketAddress(`s3://bucket?endpoint=http://127.0.0.1:${port}`), limits);
    const refusal = await objects.put("a/b", Uint8Array.of(1), "text/plain").catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "storage-failed", message: expect.stringContaining("ETIMEDOUT") });
    expect(inspect(refusal, { depth: Infinity, showHidden: true })).not.toMatch(/secret-of-the-tests|Signature=/);
    objects.close();
    silent.close();
  });
});

describe("the address of a bucket", () => {
  test("says where it is", () => {
    expect(bucketAddress("s3://bucket")).toEqual({
      bucket: "bucket",
      prefix: "",
      region: "us-east-1",
      endpoint: undefined,
    });
    expect(bucketAddress("s3://bucket/a/b/?region=eu-central-1&endpoint=https://s3.example.com")).toEqual({
      bucket: "bucket",
      prefix: "a/b/",
      region: "eu-central-1",
      endpoint: "https://s3.example.com",
    });
  });

  test.each([
    "",
    "bucket",
    "https://bucket",
    "s3://",
    "s3://key:hunter2@bucket",
    "s3://bucket:80",
    "s3://bucket/a%20b",
    "s3://bucket?endpoint=ftp://x",
    "s3://bucket?secret=hunter2",
  ])("'%s' is none, and is not repeated", (text) => {
    expect(() => bucketAddress(text)).toThrow(expect.objectContaining({ code: "usage" }));
    expect(() => bucketAddress(text)).not.toThrow("hunter2");
  });
});
