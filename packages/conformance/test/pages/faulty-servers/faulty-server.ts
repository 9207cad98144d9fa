/** Parts of faulty servers: each changes the behaviour of a correct one. */
import type { Browser } from "../browser.ts";
import type { ScrapeOptions } from "../scrape.ts";
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

/** Returns the first server that fails each check. */
export const firstOfEachCheck = (faults: readonly PageFault[]): PageFault[] =>
  faults.filter(({ check }, at) => faults.findIndex((other) => other.check === check) === at);

export const without = <Options extends object>(options: Options, changed: Partial<Options>): Options => ({
  ...options,
  ...changed,
});

/** Changes the options that were asked for by name. */
export const deaf =
  (name: keyof ScrapeOptions, changed: Partial<ScrapeOptions>): NonNullable<Twist["options"]> =>
  (options, request) =>
    name in request ? without(options, changed) : options;

/** Changes the options where one was left out, and no other one was asked for. */
export const byDefault =
  (changed: Partial<ScrapeOptions>): NonNullable<Twist["options"]> =>
  (options, request) =>
    Object.keys(request).length === 0 ? without(options, changed) : options;

export const inMarkdown =
  (
    change: (markdown: string, browser: Browser) => string,
    when: (request: Partial<ScrapeOptions>) => boolean,
  ): NonNullable<Twist["scrape"]> =>
  (answer, request, browser) =>
    when(request) ? { ...answer, markdown: change(answer.markdown, browser) } : answer;

export const plain = (request: object): boolean => Object.keys(request).length === 0;

/** Returns the same for servers that write other Markdown, where something is true of the options. Default: where there are none. */
export const breakingMarkdown = (
  check: string,
  requirement: string,
  changes: Readonly<Record<string, (markdown: string) => string>>,
  when = plain,
): readonly PageFault[] =>
  Object.entries(changes).flatMap(([name, change]) =>
    breaking(check, requirement, { [name]: { scrape: inMarkdown(change, when) } }),
  );

export const onReplay = (change: (replay: Replay, origin: string) => Partial<Replay>): Twist => ({
  replay: (replay, origin) => ({ ...replay, ...change(replay, origin) }),
});

export const onFile = (pattern: RegExp, change: (answer: FileAnswer) => FileAnswer): Twist => ({
  file: (name, answer) => (pattern.test(name) ? change(answer) : answer),
});
