import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { inspect } from "node:util";
import { startFauxqs } from "fauxqs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parseBucketAddress } from "../../../src/storage/objects/bucket-address.ts";
import { S3ObjectStore, type S3Limits } from "../../../src/storage/objects/s3-object-store.ts";
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

/** When a presigned URL expires, in milliseconds since 1970, as the store reads it. */
function findEnd(address = ""): number {
  const { searchParams } = new URL(address);
  const [, day = "", time = ""] = /^(\d{8})T(\d{6})Z$/.exec(searchParams.get("X-Amz-Date") ?? "") ?? [];
  const iso = `${day.replace(/(....)(..)(..)/, "$1-$2-$3")}T${time.replace(/(..)(..)(..)/, "$1:$2:$3")}Z`;
  return Date.parse(iso) + Number(searchParams.get("X-Amz-Expires")) * 1_000;
}

async function open(path = "", on = server): Promise<S3ObjectStore> {
  buckets += 1;
  const bucket = `tests-${buckets}`;
  on.createBucket(bucket);
  return S3ObjectStore.open(parseBucketAddress(`s3://${bucket}${path}?endpoint=${encodeURIComponent(on.address)}`));
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

  test("have presigned URLs that anybody can read, with ranges, until they expire", async () => {
    const objects = await open("/of/nodes");
    await objects.put("a/replay.mp4", Uint8Array.of(1, 2, 3, 4), "video/mp4");
    await objects.put("a/segment.ts", Uint8Array.of(5), "video/mp2t");
    const expiresAtMs = await objects.presignableUntil(Date.now() + 90_500);
    const addresses = await objects.presign(["a/replay.mp4", "a/segment.ts"], expiresAtMs);
    for (const one of addresses) expect(findEnd(one)).toBe(expiresAtMs);
    expect(expiresAtMs % 1_000).toBe(0);
    const [address = "", other = ""] = addresses;
    expect(new URL(address).pathname).toMatch(/\/of\/nodes\/a\/replay\.mp4$/);
    expect(addresses.join()).not.toContain("secret-of-the-tests");
    const whole = await fetch(address);
    expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    expect(new Uint8Array(await whole.arrayBuffer())).toEqual(Uint8Array.of(1, 2, 3, 4));
    const part = await fetch(address, { headers: { range: "bytes=1-2" } });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, "bytes 1-2/4"]);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(Uint8Array.of(2, 3));
    expect(new Uint8Array(await (await fetch(other)).arrayBuffer())).toEqual(Uint8Array.of(5));
    objects.close();
  });

  test.each(["", `?endpoint=http://127.0.0.1:9`, "?endpoint=https://s3.example.com/base", "?region=eu-central-1"])(
    "have the addresses that the SDK gives, also those that it does not make itself (%s)",
    async (query) => {
      vi.useFakeTimers({ toFake: ["Date"] });
      const objects = await S3ObjectStore.open(parseBucketAddress(`s3://bucket/of/nodes${query}`));
      const until = Date.now() + 3_600_000;
      const keys = ["a/replay.mp4", "a/segment-000000.ts", "a/segment-000001.ts"];
      const one = async (key: string): Promise<readonly string[]> => objects.presign([key], until);
      expect(await objects.presign(keys, until)).toEqual((await Promise.all(keys.map(one))).flat());
      objects.close();
      vi.useRealTimers();
    },
  );

  test("have presigned URLs for at most a week, and no longer than the credentials are valid", async () => {
    const objects = await open();
    const week = 7 * 86_400_000;
    const longest = await objects.presignableUntil(Date.now() + 2 * week);
    expect(longest).toBeLessThanOrEqual(Date.now() + week);
    expect(longest).toBeGreaterThan(Date.now() + week - 3_000);
    expect(findEnd((await objects.presign(["a/b"], longest))[0])).toBe(longest);
    objects.close();
    const soon = Date.now() + 600_000;
    vi.stubEnv("AWS_CREDENTIAL_EXPIRATION", new Date(soon).toISOString());
    const passing = await open();
    expect(await passing.presignableUntil(Date.now() + week)).toBe(Math.floor(soon / 1_000) * 1_000);
    vi.stubEnv("AWS_CREDENTIAL_EXPIRATION", undefined);
    passing.close();
  });

  test("have presigned URLs with the public endpoint of the store", async () => {
    const address = `s3://bucket?endpoint=http://store:9000&public-endpoint=https://files.example.com`;
    const objects = await S3ObjectStore.open(parseBucketAddress(address));
    const urls = await objects.presign(["a/b", "a/c"], Date.now() + 60_000);
    for (const url of urls) expect(url).toMatch(/^https:\/\/files\.example\.com\/bucket\/a\/[bc]\?/);
    objects.close();
  });

  test("are listed and deleted when there are more than fit into one request", async () => {
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

describe("objects below a prefix", () => {
  testObjectStore(start("/of/nodes"));
});

describe("a store", () => {
  test("without the bucket says so", async () => {
    const objects = await S3ObjectStore.open(
      parseBucketAddress(`s3://nobody-s?endpoint=${encodeURIComponent(server.address)}`),
      limits,
    );
    const refusal = await objects.put("a/b", Uint8Array.of(1), "text/plain").catch((error: unknown) => error);
    expect(String(refusal)).toContain("NoSuchBucket, HTTP 404");
    expect(inspect(refusal, { depth: Infinity, showHidden: true })).not.toMatch(/secret-of-the-tests|Signature=/);
    objects.close();
  });

  test("that does not answer times out", async () => {
    const silent = createServer((socket) => socket.on("error", () => undefined).resume()).listen(0, "127.0.0.1");
    await once(silent, "listening");
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
    const { port } = silent.address() as AddressInfo;
    const objects = await S3ObjectStore.open(
      parseBucketAddress(`s3://bucket?endpoint=http://127.0.0.1:${port}`),
      limits,
    );
    const refusal = await objects.put("a/b", Uint8Array.of(1), "text/plain").catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "storage-failed", message: expect.stringContaining("ETIMEDOUT") });
    expect(inspect(refusal, { depth: Infinity, showHidden: true })).not.toMatch(/secret-of-the-tests|Signature=/);
    objects.close();
    silent.close();
  });
});

describe("the address of a bucket", () => {
  test("names bucket, prefix, region and endpoints", () => {
    expect(parseBucketAddress("s3://bucket")).toEqual({
      bucket: "bucket",
      prefix: "",
      region: "us-east-1",
      endpoint: undefined,
      publicEndpoint: undefined,
    });
    const all = "s3://bucket/a/b/?region=eu-central-1&endpoint=https://s3.example.com&public-endpoint=http://store";
    expect(parseBucketAddress(all)).toEqual({
      bucket: "bucket",
      prefix: "a/b/",
      region: "eu-central-1",
      endpoint: "https://s3.example.com",
      publicEndpoint: "http://store",
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
    "s3://bucket?public-endpoint=x",
    "s3://bucket?secret=hunter2",
  ])("'%s' is malformed, and not echoed", (text) => {
    expect(() => parseBucketAddress(text)).toThrow(expect.objectContaining({ code: "usage" }));
    expect(() => parseBucketAddress(text)).not.toThrow("hunter2");
  });
});
