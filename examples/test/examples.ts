import { expect } from "vitest";

const noted = /^CLOUD_BROWSER_BASE_URL is not set: (?:using|judging) a mock at http:\/\/127\.0\.0\.1:\d+$/;

/** What each example prints. */
export const examples = [
  {
    file: "scrape.ts",
    want: [
      expect.stringMatching(noted),
      "# Harbour ferries",
      "",
      "The next ferry leaves at 14:20 from [pier 3](https://ferries.example/piers/3).",
    ],
  },
  {
    file: "cookies-and-replay.ts",
    want: [
      expect.stringMatching(noted),
      "cookie sid of ferries.example",
      expect.stringMatching(/^cookie \S+ of \S+$/),
      expect.stringMatching(
        /^replay of 12\.5 s at https:\/\/recordings\.example\/9f6e1c52\/replay\.mp4, until 20\d\d-/,
      ),
    ],
  },
  {
    file: "follow-automation.ts",
    want: [
      expect.stringMatching(noted),
      "status: starting",
      "tool: open_page",
      "function: next_ferry (5b0f7d0e-63a1-4a3c-9c51-0d6a2f6e8b11)",
      "answer: The next ferry leaves at 14:20.",
      "done, for 0.0431 US dollars",
    ],
  },
  {
    file: "live-session.ts",
    want: ["# Green tea", "Green tea: 4.5 EUR", "basket b17", expect.stringMatching(/^a video of \d+ s$/)],
  },
  {
    file: "live-automation.ts",
    want: [
      'Opened the page "Tea shop" (the shop/).',
      expect.stringMatching(/^Filled /),
      expect.stringMatching(/^Pressed /),
      "Extracted table: 1 row. This is the only row of the page.",
      '{"table":[{"Tea":"Green tea","Price":"4.5"}]} for 0 US dollars',
      '{"table":[{"Tea":"Black tea","Price":"3.9"}]}',
    ],
  },
  {
    file: "list-images.ts",
    want: [
      expect.stringMatching(noted),
      "Pier 3 at low tide: https://ferries.example/photos/pier-3.jpg",
      "Map of the piers: https://ferries.example/map.svg",
      "7 images in all",
    ],
  },
  {
    file: "extract-data.ts",
    want: [expect.stringMatching(noted), "Day ticket: 1850 cents", "no ticket: no price on the page"],
  },
  {
    file: "spend-within-budget.ts",
    want: [
      expect.stringMatching(noted),
      "pier 1: done",
      "pier 2: done",
      "pier 3: not started",
      "0.0862 US dollars for 2 runs, 0 of unknown cost",
    ],
  },
  {
    file: "handle-errors.ts",
    want: [
      "# Harbour ferries",
      "wrong at body.selector: no such element",
      "no session trains, says request-5",
      expect.stringMatching(/^this program is wrong: .*dot segment/),
      "network after 3 attempts, retryable: true",
    ],
  },
  {
    file: "watch-calls.ts",
    want: [
      "page_scrape, attempt 1",
      "answered with 503",
      "retry after server",
      "page_scrape, attempt 2",
      "answered with 503",
      "retry after server",
      "page_scrape, attempt 3",
      "answered with 200",
      "request-3 succeeded after 40 ms of waiting",
    ],
  },
  {
    file: "share-cookies.ts",
    want: [
      expect.stringMatching(noted),
      "Playwright gets sid of ferries.example",
      expect.stringMatching(/^Playwright gets \S+ of \S+$/),
      "curl gets 2 lines",
      "  assumed: hostOnly of sid",
      "  dropped: sameSite of sid",
      "a request gets language=…",
    ],
  },
  { file: "download-replay.ts", want: ["not yet: 404", "100 %", "300000 bytes, resumed once"] },
  {
    file: "download-hls.ts",
    want: [
      "2 segments, 30000 bytes: playlist.m3u8, segment-00001.ts, segment-00002.ts",
      "from 4.5 to 5 seconds: segment-00002.ts",
    ],
  },
  { file: "use-raw-client.ts", want: [expect.stringMatching(noted), "200 # Harbour ferries"] },
  {
    file: "run-conformance.ts",
    want: [expect.stringMatching(noted), expect.stringMatching(/^Conforming: all \d+ stated checks /)],
  },
];

/** Those that `npm test` runs: a call of a mock, a download, and a real browser. */
export const quick = ["scrape.ts", "download-hls.ts", "live-session.ts"];
