/** Parts of servers: each changes what a correct one scrapes. */
import { defaultOptions, type DataSpace, type ScrapeOptions } from "../pages/scrape.ts";
import type { Twist } from "../pages/site-server.ts";

type Asked = Partial<ScrapeOptions>;

/** Forgets one option as soon as others are there. */
export function forgets(name: keyof ScrapeOptions, when: (options: ScrapeOptions) => boolean): Twist {
  const { [name]: usual = null } = { selector: null, ignored_tags: null, ...defaultOptions };
  return { options: (options) => (when(options) ? { ...options, [name]: usual } : options) };
}

/** Forgets one option always. */
export const never = (name: keyof ScrapeOptions): Twist => forgets(name, () => true);

/** Changes the answers to some scrapes. */
export const answers = (when: (asked: Asked) => boolean, change: (answer: DataSpace) => DataSpace): Twist => ({
  scrape: (answer, asked) => (when(asked) ? change(answer) : answer),
});

/** Tells whether an option has a value. */
export const asks =
  (name: keyof ScrapeOptions, value: unknown = true) =>
  (asked: Asked): boolean =>
    asked[name] === value;
/** Tells whether an option is left out. */
export const isAbsent =
  (name: keyof ScrapeOptions) =>
  (asked: Asked): boolean =>
    !(name in asked);

/** Tells whether a tag is the first one that is ignored. */
export const isTagged = (options: ScrapeOptions, tag: string): boolean => options.ignored_tags?.[0] === tag;

/** Answers the same request in two ways, one after the other. */
export function alternating(): Twist {
  let count = 0;
  return answers(
    (asked) => asks("selector", "body")(asked) && Object.keys(asked).length === 1 && (count += 1) % 2 === 0,
    (answer) => ({ ...answer, markdown: answer.markdown.replace(/# Island.*/, "") }),
  );
}
