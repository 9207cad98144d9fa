/**
 * Checks one build of the package in the runtime at hand: calls over the network, errors, limits, an automation, an extraction, and
 * what converts cookies and playlists.
 *
 * Web standards only, because every runtime runs this same file.
 *
 * @param {object} given
 * @param {typeof import("@cloud-browser/client")} given.client The package under test.
 * @param {typeof import("@cloud-browser/client/cookies")} given.cookies Its conversions.
 * @param {typeof import("@cloud-browser/client/replay")} given.replay Its downloads.
 * @param {string} given.origin The loopback server of the stream package, which serves the files of ./consumer.ts as answers.
 * @returns {Promise<{ passed: number, failed: { name: string, why: string }[] }>} Never rejects.
 */
export async function runCases({ client, cookies, replay, origin }) {
  const failed = [];
  let passed = 0;
  for (const [name, act] of Object.entries(cases({ client, cookies, replay, origin }))) {
    try {
      await inTime(act());
      passed++;
    } catch (error) {
      failed.push({ name, why: String(error) });
    }
  }
  return { passed, failed };
}

function cases({ client, cookies, replay, origin }) {
  const { createCloudBrowser, ClientError } = client;
  const options = { apiKey: "key", baseUrl: origin, retries: 0 };
  const browser = createCloudBrowser(options);
  const ticket = { type: "object", properties: { pier: { type: "integer" } }, required: ["pier"] };
  const automating = async (ending, own = {}) => {
    const fetching = () => fetch(`${origin}/stream?id=${ending}&ending=${ending}`);
    const stream = await browser.automate({ query: "q" }, { fetch: fetching, ...own });
    const types = [];
    for await (const event of stream) types.push(event.type);
    return [...types, (await stream.outcome()).type];
  };
  const failing = async (act, kind, fields) => {
    const error = await act().then(
      () => undefined,
      (thrown) => thrown,
    );
    same("is a ClientError", error instanceof ClientError, true);
    same("is of its kind", error instanceof kind, true);
    for (const [name, value] of Object.entries(fields)) same(name, error[name], value);
    return error;
  };
  return {
    async "reads cookies, and converts them"() {
      const read = await browser.cookies("s1");
      same("cookies", read.cookies.length, 1);
      same("header", cookies.toCookieHeader(read, "https://ferries.example/").header, "sid=1");
    },
    async "scrapes, and gives the response"() {
      const { data, response } = await browser.scrape("s1", { selector: "ä" }).withResponse();
      same("markdown", data.markdown, "# Fähren");
      same("text", JSON.parse(await response.text()).markdown, "# Fähren");
    },
    async "extracts, and validates by JSON Schema"() {
      same("pier", (await browser.extract("s1", { response_format: ticket })).pier, 3);
      const other = { ...ticket, required: ["price"] };
      const error = await failing(() => browser.extract("s1", { response_format: other }), client.ExtractionError, {});
      same("reason", error.extraction.reason, "mismatch");
    },
    async "validates a response by the contract"() {
      await failing(() => browser.replay("s1", { validate: true }), client.UnexpectedContentError, { status: 200 });
      same("not validated", (await browser.replay("s1")).mp4_url, 7);
    },
    async "tells a status that is not 2xx"() {
      await failing(() => browser.cookies("none"), client.NotFoundError, { status: 404, code: "not-found" });
    },
    async "tells that nobody listens, and asks again"() {
      const nobody = { baseUrl: "http://127.0.0.1:9", retries: { max: 1, baseMs: 1 } };
      await failing(() => browser.cookies("s1", nobody), client.NetworkError, { attempts: 2, retryable: true });
    },
    async "heeds a time limit and a signal"() {
      const hanging = { fetch: () => new Promise(() => {}), timeouts: { headersMs: 50 } };
      await failing(() => browser.cookies("s1", hanging), client.TimeoutError, { phase: "headers" });
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 20);
      const aborted = { fetch: () => new Promise(() => {}), signal: controller.signal };
      await failing(() => browser.cookies("s1", aborted), client.AbortedError, {});
    },
    async "gives a custom fetch the request, and the same as address and options"() {
      let got = "";
      const custom = (request, init) => {
        got = [String(request), request.method, init.method, init.body, init.headers.authorization].join(" ");
        return fetch(String(request), init);
      };
      same("markdown", (await browser.scrape("s1", { selector: "a" }, { fetch: custom })).markdown, "# Fähren");
      same("given", got, `${origin}/sessions/s1/page/scrape POST POST {"selector":"a"} Bearer key`);
    },
    async "makes a response of a foreign one"() {
      const body = new TextEncoder().encode('{"cookies":[]}');
      const foreign = async () => ({ status: 200, headers: new Map(), arrayBuffer: async () => body.buffer });
      same("cookies", (await browser.cookies("s1", { fetch: foreign })).cookies.length, 0);
    },
    async "runs an automation to its end, and tells one that breaks"() {
      same("done", (await automating("done")).join(), "status,done,done");
      const error = await automating("loss").catch((thrown) => thrown);
      same("lost", error.code, "connection-lost");
    },
    async "refuses an unknown option, and a base URL that is none"() {
      for (const wrong of [{ timeout: 5 }, { baseUrl: "localhost:1" }])
        await failing(async () => createCloudBrowser({ ...options, ...wrong }), client.MisuseError, {});
    },
    async "logs what the level lets through"() {
      const lines = [];
      const logger = { debug: () => lines.push("debug"), warn() {}, error: (message) => lines.push(message) };
      await browser.cookies("none", { logger, logLevel: "error" }).catch(() => {});
      same("lines", lines.join(), "call failed");
    },
    async "parses a playlist, and downloads a video into a stream"() {
      same("segments", replay.parsePlaylist("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n").segments.length, 1);
      let bytes = 0;
      const target = new WritableStream({ write: (chunk) => void (bytes += chunk.length) });
      await replay.downloadReplay(browser, "s1", target, { replay: { mp4_url: `${origin}/video.mp4` } });
      same("bytes", bytes, 70_000);
    },
  };
}

function same(what, got, want) {
  if (got !== want) throw new Error(`${what}: ${JSON.stringify(got)}, and not ${JSON.stringify(want)}`);
}

/** Rejects when the work takes longer than 10 seconds. */
async function inTime(work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("not settled after 10 s")), 10_000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
