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
  type EditRow,
} from "./places.ts";

export const responseEdits: Readonly<Record<string, EditRow>> = {
  // Responses
  "a status replaced by another one": [
    ({ paths }) => {
      const { responses } = paths[replayPath].get;
      responses["202"] = responses["200"];
      delete responses["200"];
    },
    `breaking: ${replay} > response 200: the status was removed`,
    `additive: ${replay} > response 202: a status was added`,
  ],
  "an error status removed": [
    ({ paths }) => delete paths[startPath].post.responses["502"],
    `breaking: ${start} > response 502: the status was removed`,
  ],
  "a media type added to a response": [
    ({ paths }) => (paths[replayPath].get.responses["200"].content["video/mp4"] = {}),
    `additive: ${replay} > response 200 > video/mp4: a media type was added`,
  ],
  "a required field removed from a response": [
    ({ schemas }) => {
      delete schemas.ReplayResponse.properties.expires_at;
      schemas.ReplayResponse.required = schemas.ReplayResponse.required.filter((name: string) => name !== "expires_at");
    },
    `breaking: ${recording} > expires_at: the field was removed: readers miss it`,
  ],
  "an optional field removed from a response": [
    ({ schemas }) => delete schemas.Cookie.properties.partitionKey,
    `breaking: ${cookies} > response 200 > application/json > cookies > items > partitionKey: the field was removed: readers miss it`,
  ],
  "a field renamed in a response": [
    ({ schemas }) => {
      schemas.Cookie.properties.http_only = schemas.Cookie.properties.httpOnly;
      delete schemas.Cookie.properties.httpOnly;
    },
    `breaking: ${cookies} > response 200 > application/json > cookies > items > httpOnly: the field was removed: readers miss it`,
    `additive: ${cookies} > response 200 > application/json > cookies > items > http_only: a field was added`,
  ],
  "a field added to a response": [
    ({ schemas }) => (schemas.ReplayResponse.properties.size = { type: "integer" }),
    `additive: ${recording} > size: a field was added`,
  ],
  "a field of a response no longer required": [
    ({ schemas }) => (schemas.DataSpace.required = []),
    `breaking: ${scraped} > markdown: the field is no longer required`,
  ],
  "a field of a response made required": [
    ({ schemas }) => (schemas.Cookie.required = ["name"]),
    `additive: ${cookies} > response 200 > application/json > cookies > items > name: the field is required now`,
  ],
  "null allowed in a response": [
    ({ schemas }) => (schemas.ReplayResponse.properties.mp4_url.type = ["string", "null"]),
    `breaking: ${recording} > mp4_url: null is allowed now`,
  ],
  "null no longer sent in a response": [
    ({ schemas }) => (schemas.ImageData.properties.url.type = "string"),
    `additive: ${scraped} > images > items > url: null is no longer allowed`,
  ],
  "a whole number in a response that may have a fraction": [
    ({ schemas }) => (schemas.ReplayResponse.properties.video_start_ms.type = "number"),
    `breaking: ${recording} > video_start_ms: type: number with a fraction is allowed now`,
  ],
  "a number in a response that is always whole": [
    ({ schemas }) => (schemas.DoneEvent.properties.total_cost_usd.type = "integer"),
    `additive: ${events} > done > total_cost_usd: type: number with a fraction is no longer allowed`,
  ],
  "a number in a response that becomes text": [
    ({ schemas }) => (schemas.ReplayResponse.properties.video_start_ms.type = "string"),
    `breaking: ${recording} > video_start_ms: type: string is allowed now`,
    `additive: ${recording} > video_start_ms: type: integer is no longer allowed`,
  ],
  "a value added to a list of a response": [
    ({ schemas }) => schemas.ImageCategory.enum.push("photo"),
    `breaking: ${scraped} > images > items > category: the value "photo" was added`,
  ],
  "a value removed from a list of a response": [
    ({ schemas }) => schemas.ImageCategory.enum.pop(),
    `breaking: ${scraped} > images > items > category: the value "svg_content" was removed`,
  ],
  "a list of values dropped from a response": [
    ({ schemas }) => delete schemas.ImageCategory.enum,
    `breaking: ${scraped} > images > items > category: values other than "favicon", "icon", "content_image", "decorative", "svg_icon", "svg_content" are allowed now`,
  ],
  "a form no longer promised in a response": [
    ({ schemas }) => delete schemas.ReplayResponse.properties.expires_at.pattern,
    `breaking: ${recording} > expires_at: pattern was removed`,
  ],
  "another form in a response": [
    ({ schemas }) => (schemas.DoneEvent.properties.function_id.format = "uri"),
    `breaking: ${events} > done > function_id: format changed from "uuid" to "uri"`,
  ],
  "a bound added to a response": [
    ({ schemas }) => (schemas.ReplayResponse.properties.video_start_ms.minimum = 0),
    `additive: ${recording} > video_start_ms: minimum changed from none to 0`,
  ],
  "the default of a response changed": [
    ({ schemas }) => (schemas.StructuredData.properties.success.default = false),
    `breaking: ${scraped} > structured > success: the default changed from true to false`,
  ],
  "the problem of a validation without its place, in every operation that answers so": [
    ({ schemas }) => (schemas.ValidationError.required = ["msg", "type"]),
    ...[scrape, cookies].map(
      (operation) =>
        `breaking: ${operation} > response 422 > application/json > detail > items > loc: the field is no longer required`,
    ),
  ],
  "a header added to a response, and another removed again": [
    ({ paths }) => (paths[replayPath].get.responses["200"].headers = { "x-cost": { schema: { type: "number" } } }),
    `additive: ${replay} > response 200 > header x-cost: a header was added`,
  ],
};
