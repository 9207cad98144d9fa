import type { Socket } from "node:net";
import type { Fault, Want } from "./faults-connection.ts";
import { flood, getHead, type Content } from "./fault-socket.ts";

const unexpected: Want = { code: "unexpected-content", status: 200, retryable: false };

/** Answers with one body. */
const sendBody =
  (bytes: string | Uint8Array, headers: Record<string, string> = {}, status = 200) =>
  (socket: Socket, { type }: Content): void => {
    const length = Buffer.byteLength(bytes);
    socket.write(getHead(status, { "content-type": type, "content-length": length, ...headers }));
    socket.write(bytes);
  };

const repeat = (text: string): string => text + text;
const wrongJson = [
  { name: "nothing", text: "" },
  { name: "white space", text: " \n" },
  { name: "HTML", text: "<!doctype html><p>Sign in</p>" },
  { name: "a cut JSON text", text: '{"markdown":"x","cookies":[' },
  { name: "two JSON texts", text: repeat('{"markdown":"","cookies":[]}') },
  { name: "null", text: "null" },
  { name: "an array", text: '[{"markdown":"","cookies":[]}]' },
  { name: "a string", text: '"markdown"' },
  { name: "a number", text: "1" },
  { name: "true", text: "true" },
  { name: "UTF-16", text: "\uFEFF{\u0000}\u0000" },
];
const wrongKinds = [
  { name: "no field at all", text: "{}" },
  { name: "a problem instead of an answer", text: '{"detail":"no such session"}' },
  { name: "fields of other types", text: '{"markdown":1,"cookies":{}}' },
  { name: "fields that are null", text: '{"markdown":null,"cookies":null}' },
];

/** Error statuses whose bodies are faulty, too: the status counts. */
const refusals: readonly { status: number; code: string; retryable: boolean }[] = [
  { status: 400, code: "bad-request", retryable: false },
  { status: 401, code: "authentication", retryable: false },
  { status: 422, code: "validation", retryable: false },
  { status: 429, code: "rate-limited", retryable: true },
  { status: 503, code: "server", retryable: true },
];
const long = { "content-length": "1000" };
const faultyRefusals = refusals.flatMap(({ status, ...rest }): Fault[] => {
  const want = { status, ...rest };
  return [
    { name: `${status} with a body that stalls`, want, onRequest: sendBody('{"detail":', long, status) },
    {
      name: `${status} with a body that is cut`,
      want,
      onRequest: (socket) => socket.end(`${getHead(status, long)}{"detail":`),
    },
    {
      name: `${status} with a body that is reset`,
      want,
      onRequest: (socket) => void socket.write(`${getHead(status, long)}{"d`, () => socket.resetAndDestroy()),
    },
    { name: `${status} with a body that is too large`, want, onRequest: sendBody("x".repeat(150_000), {}, status) },
    {
      name: `${status} with a body without end`,
      want,
      async onRequest(socket) {
        socket.write(getHead(status, { connection: "close" }));
        await flood(socket, "x".repeat(10_000));
      },
    },
    { name: `${status} with a binary body`, want, onRequest: sendBody(Buffer.from("00ff17fe9d", "hex"), {}, status) },
    { name: `${status} with broken gzip`, want, onRequest: sendBody("{}", { "content-encoding": "gzip" }, status) },
    { name: `${status} with nothing`, want, onRequest: sendBody("", {}, status) },
  ];
});

/** Faults of what an answer holds. */
export const contentFaults: readonly Fault[] = [
  ...wrongJson.map(({ name, text }) => ({
    name,
    want: unexpected,
    stream: /^\s*$/.test(text) ? "ended-early" : "not-a-stream",
    onRequest: sendBody(text),
  })),
  ...wrongKinds.map(({ name, text }) => ({
    name,
    want: unexpected,
    fine: ["session_replay"], // which field a replay has the interface does not say for sure
    stream: "not-a-stream",
    onRequest: sendBody(text),
  })),
  { name: "204", want: { ...unexpected, status: 204 }, stream: "ended-early", onRequest: (s) => s.write(getHead(204)) },
  {
    name: "205 with nothing",
    want: { ...unexpected, status: 205 },
    stream: "ended-early",
    onRequest: (s) => s.write(getHead(205, { "content-length": 0 })),
  },
  {
    name: "a byte order mark",
    want: {},
    stream: "done",
    onRequest: (s, c) => sendBody(`\uFEFF${c.body}`)(s, c),
  },
  {
    name: "text that is no UTF-8",
    want: unexpected,
    stream: "done",
    onRequest: (s, c) => sendBody(Buffer.from(c.body.replace('"', '"\xE9":"\xFF","'), "latin1"))(s, c),
  },
  {
    name: "JSON as HTML, a stream as JSON",
    want: {},
    stream: "not-a-stream",
    onRequest: (s, c) =>
      sendBody(c.body, { "content-type": c.type.includes("json") ? "text/html" : "application/json" })(s, c),
  },
  {
    name: "no media type",
    want: {},
    stream: "done",
    onRequest: (s, c) => s.write(getHead(200, { "content-length": c.body.length }) + c.body),
  },
  {
    name: "a media type that is nonsense",
    want: {},
    stream: "done",
    onRequest: (s, c) => sendBody(c.body, { "content-type": ";;=/" })(s, c),
  },
  ...faultyRefusals,
];
