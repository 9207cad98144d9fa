import {
  replayPath,
  startPath,
  scrape,
  cookies,
  replay,
  start,
  scraped,
  recording,
  events,
  type ToldEdit,
} from "./places.ts";

export const responseEdits: readonly ToldEdit[] = [
  // Responses
  {
    name: "a status replaced by another one",
    edit: ({ paths }) => {
      const { responses } = paths[replayPath].get;
      responses["202"] = responses["200"];
      delete responses["200"];
    },
    want: [
      `breaking: ${replay} > response 200: the status was removed`,
      `additive: ${replay} > response 202: a status was added`,
    ],
  },
  {
    name: "an error status removed",
    edit: ({ paths }) => delete paths[startPath].post.responses["502"],
    want: [`breaking: ${start} > response 502: the status was removed`],
  },
  {
    name: "a media type added to a response",
    edit: ({ paths }) => (paths[replayPath].get.responses["200"].content["video/mp4"] = {}),
    want: [`additive: ${replay} > response 200 > video/mp4: a media type was added`],
  },
  {
    name: "a required field removed from a response",
    edit: ({ components: { schemas } }) => {
      delete schemas.ReplayResponse.properties.expires_at;
      schemas.ReplayResponse.required = schemas.ReplayResponse.required.filter((name: string) => name !== "expires_at");
    },
    want: [`breaking: ${recording} > expires_at: the field was removed: readers miss it`],
  },
  {
    name: "an optional field removed from a response",
    edit: ({ components: { schemas } }) => delete schemas.Cookie.properties.partitionKey,
    want: [
      `breaking: ${cookies} > response 200 > application/json > cookies > items > partitionKey: the field was removed: readers miss it`,
    ],
  },
  {
    name: "a field renamed in a response",
    edit: ({ components: { schemas } }) => {
      schemas.Cookie.properties.http_only = schemas.Cookie.properties.httpOnly;
      delete schemas.Cookie.properties.httpOnly;
    },
    want: [
      `breaking: ${cookies} > response 200 > application/json > cookies > items > httpOnly: the field was removed: readers miss it`,
      `additive: ${cookies} > response 200 > application/json > cookies > items > http_only: a field was added`,
    ],
  },
  {
    name: "a field added to a response",
    edit: ({ components: { schemas } }) => (schemas.ReplayResponse.properties.size = { type: "integer" }),
    want: [`additive: ${recording} > size: a field was added`],
  },
  {
    name: "a field of a response no longer required",
    edit: ({ components: { schemas } }) => (schemas.DataSpace.required = []),
    want: [`breaking: ${scraped} > markdown: the field is no longer required`],
  },
  {
    name: "a field of a response made required",
    edit: ({ components: { schemas } }) => (schemas.Cookie.required = ["name"]),
    want: [
      `additive: ${cookies} > response 200 > application/json > cookies > items > name: the field is required now`,
    ],
  },
  {
    name: "null allowed in a response",
    edit: ({ components: { schemas } }) => (schemas.ReplayResponse.properties.mp4_url.type = ["string", "null"]),
    want: [`breaking: ${recording} > mp4_url: null is allowed now`],
  },
  {
    name: "null no longer sent in a response",
    edit: ({ components: { schemas } }) => (schemas.ImageData.properties.url.type = "string"),
    want: [`additive: ${scraped} > images > items > url: null is no longer allowed`],
  },
  {
    name: "a whole number in a response that may have a fraction",
    edit: ({ components: { schemas } }) => (schemas.ReplayResponse.properties.video_start_ms.type = "number"),
    want: [`breaking: ${recording} > video_start_ms: type: number with a fraction is allowed now`],
  },
  {
    name: "a number in a response that is always whole",
    edit: ({ components: { schemas } }) => (schemas.DoneEvent.properties.total_cost_usd.type = "integer"),
    want: [`additive: ${events} > done > total_cost_usd: type: number with a fraction is no longer allowed`],
  },
  {
    name: "a number in a response that becomes text",
    edit: ({ components: { schemas } }) => (schemas.ReplayResponse.properties.video_start_ms.type = "string"),
    want: [
      `breaking: ${recording} > video_start_ms: type: string is allowed now`,
      `additive: ${recording} > video_start_ms: type: integer is no longer allowed`,
    ],
  },
  {
    name: "a value added to a list of a response",
    edit: ({ components: { schemas } }) => schemas.ImageCategory.enum.push("photo"),
    want: [`breaking: ${scraped} > images > items > category: the value "photo" was added`],
  },
  {
    name: "a value removed from a list of a response",
    edit: ({ components: { schemas } }) => schemas.ImageCategory.enum.pop(),
    want: [`breaking: ${scraped} > images > items > category: the value "svg_content" was removed`],
  },
  {
    name: "a list of values dropped from a response",
    edit: ({ components: { schemas } }) => delete schemas.ImageCategory.enum,
    want: [
      `breaking: ${scraped} > images > items > category: values other than "favicon", "icon", "content_image", "decorative", "svg_icon", "svg_content" are allowed now`,
    ],
  },
  {
    name: "a form no longer promised in a response",
    edit: ({ components: { schemas } }) => delete schemas.ReplayResponse.properties.expires_at.pattern,
    want: [`breaking: ${recording} > expires_at: pattern was removed`],
  },
  {
    name: "another form in a response",
    edit: ({ components: { schemas } }) => (schemas.DoneEvent.properties.function_id.format = "uri"),
    want: [`breaking: ${events} > done > function_id: format changed from "uuid" to "uri"`],
  },
  {
    name: "a bound added to a response",
    edit: ({ components: { schemas } }) => (schemas.ReplayResponse.properties.video_start_ms.minimum = 0),
    want: [`additive: ${recording} > video_start_ms: minimum changed from none to 0`],
  },
  {
    name: "the default of a response changed",
    edit: ({ components: { schemas } }) => (schemas.StructuredData.properties.success.default = false),
    want: [`breaking: ${scraped} > structured > success: the default changed from true to false`],
  },
  {
    name: "the problem of a validation without its place, in every operation that answers so",
    edit: ({ components: { schemas } }) => (schemas.ValidationError.required = ["msg", "type"]),
    want: [scrape, cookies].map(
      (operation) =>
        `breaking: ${operation} > response 422 > application/json > detail > items > loc: the field is no longer required`,
    ),
  },
  {
    name: "a header added to a response, and another removed again",
    edit: ({ paths }) =>
      (paths[replayPath].get.responses["200"].headers = { "x-cost": { schema: { type: "number" } } }),
    want: [`additive: ${replay} > response 200 > header x-cost: a header was added`],
  },
];
