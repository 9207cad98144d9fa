import { expect, test } from "vitest";
import { playRecording } from "../../src/recording/player.ts";
import { recordStream } from "../../src/recording/recorder.ts";
import { redact } from "../../src/recording/redaction.ts";
import { getBytes, listCuts } from "../chunking.ts";

async function* give(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** Records the chunks and plays them. */
async function replay(chunks: readonly Uint8Array[], secrets: readonly string[]): Promise<Uint8Array[]> {
  const recorder = recordStream(give(chunks), { secrets });
  for await (const chunk of recorder.source) expect(chunks).toContain(chunk);
  const played: Uint8Array[] = [];
  for await (const chunk of playRecording(recorder.recording())) played.push(chunk);
  return played;
}

function redactText(text: string, secrets: readonly string[] = []): string {
  const bytes = getBytes(text);
  redact(bytes, secrets);
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Secret is what stands between « and »: each of its bytes becomes an x, and a backslash before them stays. */
function readMarks(text: string): { input: string; want: string } {
  return {
    input: text.replace(/[«»]/g, ""),
    want: text.replace(/«([^»]*)»/g, (_, secret: string) => "x".repeat(getBytes(secret).length)),
  };
}

const json = String.raw;
const secret = "K3y/é+ü=";
const rules: { name: string; text: string; secrets?: string[] }[] = [
  { name: "the value of viewer_url", text: json`data: {"viewer_url":"«https://v.example/s/abc»","n":1}` },
  { name: "viewer_url with spaces and characters of many bytes", text: json`{"viewer_url" :	"«é€😀»" }` },
  { name: "viewer_url with escapes", text: json`{"viewer_url":"«https:\/\/v\"\\\u0041»","a":"\"b"}` },
  { name: "viewer_url that ends with a backslash", text: json`{"viewer_url":"«a\\»","a":"b"}` },
  { name: "viewer_url over data lines", text: `data: {"viewer_url":\ndata: "«abc»",\ndata:"a":"b"}` },
  { name: "viewer_url that the end cuts", text: json`{"a":1,"viewer_url":"«https://v.example/s»` },
  { name: "viewer_url that a line end cuts", text: `{"viewer_url":"«https»\r\ndata: {"a":"b"}` },
  { name: "an empty viewer_url, and one that is null", text: json`{"viewer_url":"","b":{"viewer_url":null},"c":"d"}` },
  { name: "viewer_url in JSON in a string", text: json`{"content":"{\"viewer_url\": \"«a\u0026\\/b»\",\"c\":\"d\"}"}` },
  { name: "viewer_url in JSON in JSON", text: json`{"a":"{\"b\":\"{\\\"viewer_url\\\":\\\"«v»\\\",\\\"c\\\":1}\"}"}` },
  { name: "nothing after viewer_url in a string", text: json`["viewer_url\"\\"]` },
  { name: "the query of an address", text: json`{"a":"see https://a.example/b?«c=d&e='f'#g» or not?"}` },
  { name: "a fragment", text: json`{"a":"https://a.example/b#«token=c»"}` },
  { name: "the query of an address with escapes", text: json`{"a":"https:\/\/a.example\/b?«c=\/d\u0026e=f»\n\ng"}` },
  { name: "the query before an escaped backslash and quote", text: json`{"a":"https://a.example?«b»\\","c":"\"d"}` },
  {
    name: "the query in JSON in a string",
    text: json`{"a":"{\"b\":\"https:\\/\\/a.example?«c=\\u0026\\/»\",\"d\":1}"}`,
  },
  { name: "the query of every address, also within a query", text: "http://a?«b=http://c?d» wss://e?«f»" },
  { name: "the query with à, whose last byte looks like a space", text: "https://a.example?«à=à» à" },
  { name: "nothing without a query", text: json`{"a":"https://a.example/b@c","d":"e? @f"}` },
  { name: "userinfo", text: json`{"a":"https://«user:p@ss»@a.example/@b","b":"postgres:\/\/«me»@c"}` },
  { name: "what may become userinfo, at the end", text: "https://a https://«user:p»" },
  { name: "userinfo and query", text: "https://«user»@a.example/?«b@c»" },
  { name: "bearer tokens", text: json`Bearer «a.b-c_d~e+f/g=» "authorization":"bearer  «h»","a":"Bearer%20«i»"` },
  { name: "a bearer token after an address", text: json`{"a":"https://a.example\nBearer «b»\nc"}` },
  { name: "a secret as it is", text: `a «${secret}» b «${secret}»«${secret}»`, secrets: [secret] },
  {
    name: "a secret with escapes",
    text: json`{"a":"«K3y\/\u00e9+\u00fc=»","b":"«K3y/\u00e9+\u00fc=»"}`,
    secrets: [secret],
  },
  { name: "a secret URL-encoded", text: "«K3y%2F%C3%A9%2B%C3%BC%3D»", secrets: [secret] },
  { name: "a secret with quotes in JSON", text: json`{"a":"«p\"w\\d\n»"}`, secrets: ['p"w\\d\n'] },
  { name: "a secret with spaces in a form", text: "a=«my+pass»&b=«my%20pass»", secrets: ["my pass"] },
  { name: "the beginning of a secret at the end", text: "a«K3y/é+»", secrets: [secret] },
  { name: "no empty secret", text: "abc", secrets: [""] },
  {
    name: "a secret that looks like the rest of an escape",
    text: json`{"a":"«\nope»","b":"«\\nope»"}`,
    secrets: ["nope"],
  },
  { name: "a secret that looks like the end of an escape", text: json`{"a":"«\u00e9key»"}`, secrets: ["e9key"] },
  { name: "a secret as .NET writes it", text: json`{"a":"«abc\u002Bdef»"}`, secrets: ["abc+def"] },
  { name: "a secret as Gson writes it", text: json`{"a":"«abc\u003d\u0026\u0027»"}`, secrets: ["abc=&'"] },
  { name: "a secret as PHP writes it", text: json`{"a":"«\u00E4\/\ud83d\uDE00»"}`, secrets: ["ä/😀"] },
  { name: "a secret of escapes that need none", text: json`{"a":"«\u0061\u0062c»"}`, secrets: ["abc"] },
  { name: "a secret in JSON in JSON", text: json`{"a":"{\"b\":\"«abc\\u002Bdef»\"}"}`, secrets: ["abc+def"] },
  { name: "a secret in a query in lower case", text: json`{"a":"b=«abc%2bdef»&c=d"}`, secrets: ["abc+def"] },
  { name: "a secret that is encoded twice", text: json`{"a":"b «abc%252Bdef» c"}`, secrets: ["abc+def"] },
  { name: "a secret in JSON in a query", text: json`{"a":"x %22«abc%5Cu002Bdef»%22"}`, secrets: ["abc+def"] },
  { name: "a secret whose last escape the end cuts", text: json`{"a":"«abc\u00»`, secrets: ["abc+def"] },
  {
    name: "viewer_url whose name is escaped",
    text: json`{"viewer\u005furl":"«https://v/a»","\u0076iewer_ur\u006C":"«b»"}`,
  },
  { name: "viewer_url encoded for a query", text: json`{"a":"%7B%22viewer_url%22%3A%22«v%2Fw»%22%7D"}` },
  {
    name: "an address with escaped slashes and marks",
    text: json`{"a":"https:\u002f\u002fa.example\u003f«b\u003Dc»"}`,
  },
  {
    name: "an address that is percent-encoded",
    text: json`{"a":"see https%3A%2F%2Fa.example%2Fb%3F«sig%3Dc%26d%3De» f"}`,
  },
  { name: "a relative address", text: json`{"a":"/seg.ts?«X-Amz-Signature=b»","c":"../d/e#«f»","g":"h.ts?«i=j»"}` },
  { name: "an address without a scheme", text: json`{"a":"//«me:pass»@cdn.example/b.ts?«sig=c»"}` },
  { name: "bearer tokens after a tab", text: json`{"a":"BEARER\t«abc»","b":"bearer%09«def»","c":"Bearer\u0020«ghi»"}` },
  { name: "no line after the word bearer", text: "data: bearer\n\ndata: x\n\n" },
  { name: "a lone surrogate", text: "a «%EF%BF%BDb»", secrets: ["\ud800b"] },
];
test.for(rules)("overwrites $name", ({ text, secrets }) => {
  const { input, want } = readMarks(text);
  expect(redactText(input, secrets)).toBe(want);
});

test("lets a number stay one, and a string that a quote ends", () => {
  expect(redactText('{"a":4711,"b":"4711"}', ["4711"])).toBe('{"a":1111,"b":"1111"}');
  expect(redactText('{"a":-47.11,"b":"47.11"}', ["47.11"])).toBe('{"a":-11111,"b":"11111"}');
  expect(redactText('a"b\nc', ['a"b\nc'])).toBe('x"x\nx');
});

test("is found across chunks, cut anywhere, and boundaries and sizes stay", async () => {
  const text = `data: {"viewer_url":"https://v/CANARY1","a":"é ${secret} http://CANARY2@b/?CANARY3 Bearer CANARY4"}\n\n`;
  for (const { name, chunks } of listCuts(getBytes(text))) {
    const played = await replay(chunks, [secret]);
    const all = Buffer.concat(played).toString();
    expect({ name, sizes: played.map(({ length }) => length) }).toEqual({
      name,
      sizes: chunks.map(({ length }) => length),
    });
    expect({ name, all }).toEqual({ name, all: redactText(text, [secret]) });
    expect(all).not.toMatch(/CANARY|K3y/);
    expect(JSON.parse(all.slice(6))).toHaveProperty("a");
  }
});

test("is in no recording that is taken in the middle", async () => {
  const text = `data: {"viewer_url":"CANARY\\"CANARY","a":"${secret}, https://CANARY@b?CANARY"}\n\n`;
  const recorder = recordStream(give(Array.from(getBytes(text), (byte) => Uint8Array.of(byte))), { secrets: [secret] });
  let count = 0;
  for await (const byte of recorder.source) {
    expect(byte).toHaveLength(1);
    count++;
    const played: Uint8Array[] = [];
    for await (const chunk of playRecording(recorder.recording())) played.push(chunk);
    expect(played).toHaveLength(count);
    expect(Buffer.concat(played).toString()).not.toMatch(/CAN|K3/);
  }
});

/** What is left of JSON when strings and digits are taken away. */
