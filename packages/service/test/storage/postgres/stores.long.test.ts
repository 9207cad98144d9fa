import { startPostgres, type PostgresServer } from "@cloud-browser/testing/postgres-server.ts";
import { afterAll, beforeAll, describe } from "vitest";
import { testFileIndex } from "../file-contract.ts";
import { testFunctionStore } from "../function-contract.ts";
import { testHandoverStore } from "../handover-contract.ts";
import { testKeyStore } from "../key-contract.ts";
import { testLeaseStore } from "../lease-contract.ts";
import { startPostgresBackend, type PostgresBackend } from "./postgres-backend.ts";
import { testProfileStore } from "../profile-contract.ts";
import { testRecordingIndex } from "../recording-index-contract.ts";
import { testRunStore } from "../run-contract.ts";
import { testSessionStore } from "../session-contract.ts";

let server: PostgresServer;
beforeAll(async () => void (server = await startPostgres()));
afterAll(() => server[Symbol.asyncDispose]());
const start = (): Promise<PostgresBackend> => startPostgresBackend(server);

describe("sessions in PostgreSQL", () => {
  testSessionStore(start);
});
describe("functions in PostgreSQL", () => {
  testFunctionStore(start);
});
describe("runs in PostgreSQL", () => {
  testRunStore(start);
});
describe("requests for a person in PostgreSQL", () => {
  testHandoverStore(start);
});
describe("files of sessions in PostgreSQL", () => {
  testFileIndex(start);
});
describe("keys in PostgreSQL", () => {
  testKeyStore(start);
});
describe("the index of recordings in PostgreSQL", () => {
  testRecordingIndex(start);
});
describe("profiles in PostgreSQL", () => {
  testProfileStore(start);
});
describe("leases in PostgreSQL", () => {
  testLeaseStore(start);
});
