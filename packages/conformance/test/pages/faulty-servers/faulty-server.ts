/** Faults of pages and recordings as rows of data: the check that finds it, the sentence that it breaks, what the server does, and how. */
import type { Browser, Cookie } from "../browser.ts";
import type { DataSpace, ListedImage, ScrapeOptions } from "../scrape.ts";
import type { FileAnswer, Replay, Twist } from "../site-server.ts";

export interface PageFault {
  /** Behaviour of the server, as the end of a sentence that begins with "A server that". */
  readonly name: string;
  readonly twist: Twist;
  readonly check: string;
  readonly requirement: string;
}

/** Returns the servers that fail a check, and break one requirement by it, each by what it does. */
export const breaking = (
  check: string,
  requirement: string,
  twists: Readonly<Record<string, Twist>>,
): readonly PageFault[] => Object.entries(twists).map(([name, twist]) => ({ name, twist, check, requirement }));

/** Lists the servers of a table, by the check and the requirement, with a space between, and by what they do. */
export const breakPages = (table: Readonly<Record<string, Readonly<Record<string, Twist>>>>): readonly PageFault[] =>
  Object.entries(table).flatMap(([key, twists]) => {
    const [check = "", requirement = ""] = key.split(" ");
    return breaking(check, requirement, twists);
  });

/** Returns the first server that fails each check. */
export const firstOfEachCheck = (faults: readonly PageFault[]): PageFault[] =>
  faults.filter(({ check }, at) => faults.findIndex((other) => other.check === check) === at);

/** Options that a request names. */
type RequestOptions = Partial<ScrapeOptions>;
type When = (request: RequestOptions) => boolean;

export const always = (): boolean => true;
/** True for a scrape without options. */
export const plain = (request: object): boolean => Object.keys(request).length === 0;
/** True for a scrape that names one option alone, with such a value. */
export const asksOnly =
  (name: keyof ScrapeOptions, value: unknown): When =>
  (request) =>
    request[name] === value && Object.keys(request).length === 1;

export const without = <Options extends object>(options: Options, changed: Partial<Options>): Options => ({
  ...options,
  ...changed,
});

/** Changes the options that were asked for by name. */
export const deaf =
  (name: keyof ScrapeOptions, changed: RequestOptions): NonNullable<Twist["options"]> =>
  (options, request) =>
    name in request ? without(options, changed) : options;

/** Changes the options where one was left out, and no other one was asked for. */
export const byDefault =
  (changed: RequestOptions): NonNullable<Twist["options"]> =>
  (options, request) =>
    plain(request) ? without(options, changed) : options;

/** Changes the answers to some scrapes. */
export const inAnswer = (
  change: (answer: DataSpace, request: RequestOptions, browser: Browser) => DataSpace,
  when: When = always,
): Twist => ({
  scrape: (answer, request, browser) => (when(request) ? change(answer, request, browser) : answer),
});

export const inMarkdown =
  (change: (markdown: string, browser: Browser) => string, when: When): NonNullable<Twist["scrape"]> =>
  (answer, request, browser) =>
    when(request) ? { ...answer, markdown: change(answer.markdown, browser) } : answer;

/** Changes the images of some answers that have some. */
export const inImages = (change: (images: ListedImage[]) => ListedImage[], when: When = always): Twist =>
  inAnswer((answer) => ({ ...answer, images: answer.images ? change(answer.images) : null }), when);
/** Changes each of them. */
export const inEachImage = (change: (one: ListedImage, at: number) => ListedImage, when?: When): Twist =>
  inImages((images) => images.map(change), when);

/** Changes what was extracted. */
export const inExtraction = (
  change: (structured: NonNullable<DataSpace["structured"]>) => DataSpace["structured"],
  when: When = ({ response_format: format }) => Boolean(format),
): Twist => inAnswer((answer) => ({ ...answer, structured: change(answer.structured ?? {}) ?? null }), when);

/** Makes servers that write other Markdown, where something is true of the options. Default: where there are none. */
export const writeMarkdown = (
  changes: Readonly<Record<string, (markdown: string) => string>>,
  when: When = plain,
): Readonly<Record<string, Twist>> =>
  Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, { scrape: inMarkdown(change, when) }]));

/** Changes each cookie. */
export const inCookies = (change: (cookie: Cookie) => object): Twist => ({ cookies: (own) => own.map(change) });

export const onReplay = (change: (replay: Replay, origin: string) => Partial<Replay>): Twist => ({
  replay: (replay, origin) => ({ ...replay, ...change(replay, origin) }),
});
/** Changes the playlist. */
export const inPlaylist = (change: (text: string, replay: Replay) => string): Twist =>
  onReplay((replay) => ({ playlist_content: change(replay.playlist_content, replay) }));
/** Changes the address of the MP4. */
export const inAddress = (change: (url: string) => string): Twist =>
  onReplay(({ mp4_url: url }) => ({ mp4_url: change(url) }));

export const onFile = (pattern: RegExp, change: (answer: FileAnswer) => FileAnswer): Twist => ({
  file: (name, answer) => (pattern.test(name) ? change(answer) : answer),
});
/** Changes the bytes of a file. */
export const inFile = (pattern: RegExp, change: (bytes: Buffer) => Uint8Array): Twist =>
  onFile(pattern, (answer) => ({ ...answer, body: change(Buffer.from(answer.body ?? "")) }));
