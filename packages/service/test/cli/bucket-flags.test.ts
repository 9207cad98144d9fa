import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import {
  GetBucketLifecycleConfigurationCommand,
  PutBucketLifecycleConfigurationCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { startFauxqs } from "fauxqs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runHere } from "../command-line.ts";

let server: Awaited<ReturnType<typeof startFauxqs>>;
let client: S3Client;
beforeAll(async () => {
  server = await startFauxqs({ port: 0, logger: false });
  client = new S3Client({
    region: "us-east-1",
    credentials: { accessKeyId: "of-the-tests", secretAccessKey: "secret" },
    endpoint: server.address,
    forcePathStyle: true,
  });
});
afterAll(async () => {
  client.destroy();
  await server.stop();
});

/** Where all AWS tools find them. */
const credentials = { AWS_ACCESS_KEY_ID: "of-the-tests", AWS_SECRET_ACCESS_KEY: "secret-of-the-tests" };

test("creates a bucket with a lifecycle rule, and keeps other rules", async () => {
  const address = `s3://made/of/nodes?endpoint=${encodeURIComponent(server.address)}`;
  const first = await runHere(["bucket", "prepare", "--bucket", address], credentials);
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("The bucket made was created") });
  const Bucket = "made";
  const rules = async (): Promise<unknown> =>
    (await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }))).Rules;
  const ours = {
    ID: "cloud-browser-recordings",
    Status: "Enabled",
    Filter: { Prefix: "of/nodes/recordings/" },
    Expiration: { Days: 3 },
  };
  expect(await rules()).toMatchObject([ours]);
  const theirs = { ID: "theirs", Status: "Enabled" as const, Filter: { Prefix: "x/" }, Expiration: { Days: 30 } };
  const both = { Rules: [theirs, { ...ours, Status: "Enabled" as const }] };
  await client.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: both }));
  const again = await runHere(["bucket", "prepare", "--days", "5"], { ...credentials, CLOUD_BROWSER_BUCKET: address });
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("The bucket made exists") });
  expect(await rules()).toMatchObject([theirs, { ...ours, Expiration: { Days: 5 } }]);
});

test("waits for a store that is being started, and not for one that refuses", async () => {
  let requests = 0;
  const starting = createServer((incoming, outgoing) => {
    requests += 1;
    if (requests <= 4) return void incoming.socket.destroy();
    if (requests <= 8) return void outgoing.writeHead(503).end();
    const { method, url = "/", headers } = incoming;
    const forwarded = request(new URL(url, server.address), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  const endpoint = encodeURIComponent(await listen(starting));
  const prepare = ["bucket", "prepare", "--wait-s", "60", "--bucket"];
  expect(await runHere([...prepare, `s3://later?endpoint=${endpoint}`], credentials)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("The bucket later was created"),
  });
  expect(requests).toBeGreaterThan(8);
  starting.close();
  const refusing = createServer((_, answer) => void answer.writeHead(403).end());
  const refused = encodeURIComponent(await listen(refusing));
  expect(await runHere([...prepare, `s3://later?endpoint=${refused}`], credentials)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("HTTP 403"),
  });
  refusing.close();
  expect(await runHere(["bucket", "prepare", "--wait-s", "-1", "--bucket", "s3://later"])).toMatchObject({ code: 2 });
}, 90_000);

async function listen(one: Server): Promise<string> {
  await once(one.listen(0, "127.0.0.1"), "listening");
  const address = one.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

test("says at once that there are no credentials, however long it may wait for the store", async () => {
  const nowhere = { AWS_EC2_METADATA_DISABLED: "true", AWS_CONFIG_FILE: "/none", AWS_SHARED_CREDENTIALS_FILE: "/none" };
  const prepare = ["bucket", "prepare", "--wait-s", "600", "--bucket", "s3://bucket?endpoint=http://127.0.0.1:9"];
  expect(await runHere(prepare, nowhere)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("no credentials for the object store: set AWS_ACCESS_KEY_ID"),
  });
});

test("failures are reported", async () => {
  expect(await runHere(["bucket", "prepare"])).toMatchObject({ code: 2 });
  expect(await runHere(["bucket", "prepare", "--bucket", "x"])).toMatchObject({ code: 2 });
  expect(await runHere(["bucket", "prepare", "--bucket", "s3://bucket", "--days", "1"])).toMatchObject({ code: 2 });
  const closed = await runHere(
    ["bucket", "prepare", "--bucket", "s3://bucket?endpoint=http://127.0.0.1:9"],
    credentials,
  );
  expect(closed).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("the object store can't be used (ECONNREFUSED)"),
  });
});
