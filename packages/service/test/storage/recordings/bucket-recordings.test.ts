import { afterAll, beforeAll, describe, vi } from "vitest";
import { startBucketBackend } from "./bucket-backend.ts";
import { testRecordingStore } from "./recording-contract.ts";

beforeAll(() => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "of-the-tests");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret-of-the-tests");
});
afterAll(() => void vi.unstubAllEnvs());

describe("recordings in a bucket", () => {
  testRecordingStore(startBucketBackend);
});
