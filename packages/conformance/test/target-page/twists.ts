/** Parts of servers: each changes what a correct one scrapes. */
import { without } from "../pages/faulty-servers/faulty-server.ts";
import { defaultOptions, type DataSpace, type ScrapeOptions } from "../pages/scrape.ts";
import type { Twist } from "../pages/site-server.ts";

/** Options that a request names. */
export type RequestOptions = Partial<ScrapeOptions>;

/** Forgets one option as soon as others are there. */
export function forgets(name: keyof ScrapeOptions, when: (options: ScrapeOptions) => boolean): Twist {
  const { [name]: usual = null } = { selector: null, ignored_tags: null, ...defaultOptions };
  return { options: (options) => (when(options) ? { ...options, [name]: usual } : options) };
}

/** Forgets one option always. */
export const never = (name: keyof ScrapeOptions): Twist => forgets(name, () => true);

/** Scrapes with other options when something is true of the options, or of those that the request names. */
export const takes = (
  changed: RequestOptions,
  when: (request: RequestOptions, options: ScrapeOptions) => boolean,
): Twist => ({ options: (options, request) => (when(request, options) ? without(options, changed) : options) });

/** Changes the answers to some scrapes. */
export const answers = (
  when: (request: RequestOptions) => boolean,
  change: (answer: DataSpace) => DataSpace,
): Twist => ({
  scrape: (answer, request) => (when(request) ? change(answer) : answer),
});

/** Lists no images. */
export const withoutImages = (answer: DataSpace): DataSpace => ({ ...answer, images: [] });
/** Writes another text. */
export const writes =
  (markdown: string) =>
  (answer: DataSpace): DataSpace => ({ ...answer, markdown });

/** Returns whether an option has a value. */
export const asks =
  (name: keyof ScrapeOptions, value: unknown = true) =>
  (request: RequestOptions): boolean =>
    request[name] === value;
/** Returns whether an option is left out. */
export const isAbsent =
  (name: keyof ScrapeOptions) =>
  (request: RequestOptions): boolean =>
    !(name in request);

/** Returns whether a tag is the first one that is ignored. */
export const isTagged = (options: ScrapeOptions, tag: string): boolean => options.ignored_tags?.[0] === tag;

/** Answers the same request in two ways, one after the other. */
export function alternating(): Twist {
  let count = 0;
  return answers(
    (request) => asks("selector", "body")(request) && Object.keys(request).length === 1 && (count += 1) % 2 === 0,
    (answer) => ({ ...answer, markdown: answer.markdown.replace(/# Island.*/, "") }),
  );
}
