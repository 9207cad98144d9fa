/** One way to call an operation, that is to be measured. */
export interface Way {
  /** What the table calls it. */
  readonly name: string;
  /** What it is made of: whether the calls are repeated, limited in time, watched. */
  readonly what: string;
  /** Calls the operation once, and gives back its data. */
  readonly call: () => Promise<unknown>;
}

/** An operation, as every way calls it. */
export interface Operation {
  /** What the table calls it. */
  readonly name: "cookies" | "scrape";
  /** HTTP method. */
  readonly method: "GET" | "POST";
  /** Path below the address of the service. */
  readonly path: `/${string}`;
  /** What is sent; none with GET. */
  readonly body: { readonly only_main_content: boolean; readonly ignored_tags: string[] } | undefined;
}

/** The two operations: the one without a body, and the one with a body. */
export const operations: readonly Operation[] = [
  { name: "cookies", method: "GET", path: "/sessions/s1/cookies", body: undefined },
  {
    name: "scrape",
    method: "POST",
    path: "/sessions/s1/page/scrape",
    body: { only_main_content: true, ignored_tags: ["nav", "footer"] },
  },
];

/** What the service answers: 2 kB each, as text. */
export const answers: Record<Operation["name"], string> = {
  cookies: JSON.stringify({
    cookies: Array.from({ length: 12 }, (_, index) => ({
      name: `cookie-${index}`,
      value: "v".repeat(60),
      domain: "ferries.example",
      path: "/",
      httpOnly: true,
      secure: true,
      sameSite: "Lax",
    })),
  }),
  scrape: JSON.stringify({ markdown: "# Ferries\n".repeat(190), images: null, structured: null }),
};
