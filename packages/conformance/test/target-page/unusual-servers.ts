import { without } from "../pages/faulty-servers/faulty-server.ts";
import type { Twist } from "../pages/site-server.ts";
import { answers, asks } from "./twists.ts";

/** Servers that are correct, each in a way of its own, beside those of known pages. */
export const unusualServers: Readonly<Record<string, Twist>> = {
  "refuses selectors of more than a tag": {
    scrapeStatus: ({ selector }) => (/\W/.test(selector ?? "") ? 422 : 200),
  },
  "answers a selector without a match with the whole page": {
    options: (options) => (/^[#f]/.test(options.selector ?? "") ? without(options, { selector: null }) : options),
  },
  "says in words that a selector has no match": answers(
    ({ selector }) => selector?.startsWith("#") === true,
    (answer) => ({ ...answer, markdown: "Nothing matches that selector on this page, sorry about it." }),
  ),
  "writes captions of images where only they are asked for": answers(asks("only_images"), (answer) => ({
    ...answer,
    markdown: (answer.images ?? [])
      .map(({ url, description }) => `![${description}](${url})\n\n${description}`)
      .join("\n"),
  })),
  "lists icons too where only images are asked for": answers(asks("only_images"), (answer) => ({
    ...answer,
    images: [...(answer.images ?? []), { url: "https://harbour.example/icon.png", category: "icon" }],
  })),
  "begins each page with its title and its address": {
    scrape: (answer, request, { url }) =>
      request.selector || request.only_images || request.only_main_content
        ? answer
        : { ...answer, markdown: `Title: Island hopping. Source: ${url}\n\n${answer.markdown}` },
  },
  "lists images of which it says nothing, and leaves out structured data": answers(
    () => true,
    ({ markdown, images }) => ({ markdown, ...(images ? { images: images.map(() => ({ url: null })) } : {}) }),
  ),
  "has an extraction that always fails": answers(
    ({ response_format: format }) => Boolean(format),
    (answer) => ({ ...answer, structured: { success: false, error: "no model" } }),
  ),
};
