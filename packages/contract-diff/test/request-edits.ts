import {
  scrapePath,
  cookiesPath,
  replayPath,
  startPath,
  scrape,
  cookies,
  replay,
  start,
  scrapeBody,
  type ToldEdit,
} from "./places.ts";

export const requestEdits: readonly ToldEdit[] = [
  // Operations, addresses
  {
    name: "an operation removed",
    edit: ({ paths }) => delete paths[cookiesPath],
    want: [`breaking: ${cookies}: the operation was removed`],
  },
  {
    name: "an operation added",
    edit: ({ paths }) => (paths["/health"] = { get: { responses: {} } }),
    want: ["additive: GET /health: an operation was added"],
  },
  {
    name: "another method",
    edit: ({ paths }) => (paths[cookiesPath] = { post: paths[cookiesPath].get }),
    want: [`breaking: ${cookies}: the operation was removed`, `additive: POST ${cookiesPath}: an operation was added`],
  },
  {
    name: "an additional operation of OpenAPI 3.2 added",
    edit: ({ paths }) => (paths[cookiesPath].additionalOperations = { COPY: { responses: {} } }),
    want: [`additive: COPY ${cookiesPath}: an operation was added`],
  },
  {
    name: "another operationId",
    edit: ({ paths }) => (paths[cookiesPath].get.operationId = "cookies"),
    want: [
      `breaking: ${cookies}: operationId changed from session_cookies to cookies: generated clients name their functions after it`,
    ],
  },
  {
    name: "an operation moved to another address",
    edit: ({ paths }) => delete paths[startPath].servers,
    want: [
      `breaking: ${start} > servers: the address {automation_url} was removed`,
      `additive: ${start} > servers: the address {base_url} was added`,
    ],
  },
  {
    name: "an address with a variable replaced by another than its default",
    edit: ({ paths }) => (paths[startPath].servers = [{ url: "http://127.0.0.1:4011" }]),
    want: [
      `breaking: ${start} > servers: the address {automation_url} was removed`,
      `additive: ${start} > servers: the address http://127.0.0.1:4011 was added`,
    ],
  },
  {
    name: "an operation deprecated, described otherwise, with another tag",
    edit: ({ paths }) =>
      Object.assign(paths[replayPath].get, { deprecated: true, description: "x", tags: ["network"] }),
    want: ["description", "tags", "deprecated"].map((name) => `documentation: ${replay}: ${name} changed`),
  },
  // Parameters
  {
    name: "a required query parameter added",
    edit: ({ paths }) =>
      paths[cookiesPath].get.parameters.push({ name: "domain", in: "query", required: true, schema: {} }),
    want: [
      `breaking: ${cookies} > query parameter domain: a required parameter was added: requests without it are rejected`,
    ],
  },
  {
    name: "an optional query parameter added",
    edit: ({ paths }) => paths[cookiesPath].get.parameters.push({ name: "domain", in: "query", schema: {} }),
    want: [`additive: ${cookies} > query parameter domain: a parameter was added`],
  },
  {
    name: "a query parameter removed",
    edit: ({ paths }) => paths[scrapePath].post.parameters.splice(1, 1),
    want: [`breaking: ${scrape} > query parameter update_metadata: the parameter was removed`],
  },
  {
    name: "a query parameter made required",
    edit: ({ paths }) => (paths[scrapePath].post.parameters[1].required = true),
    want: [`breaking: ${scrape} > query parameter update_metadata: the parameter is required now`],
  },
  {
    name: "the default of a query parameter changed",
    edit: ({ paths }) => (paths[scrapePath].post.parameters[1].schema.default = false),
    want: [`breaking: ${scrape} > query parameter update_metadata: the default changed from true to false`],
  },
  {
    name: "another type of a query parameter",
    edit: ({ paths }) => (paths[scrapePath].post.parameters[1].schema.type = "string"),
    want: [
      `breaking: ${scrape} > query parameter update_metadata: type: boolean is no longer allowed`,
      `additive: ${scrape} > query parameter update_metadata: type: string is allowed now`,
    ],
  },
  {
    name: "a parameter moved from a header to the query",
    edit: ({ components: { parameters } }) => (parameters.ServiceSdkVersion.in = "query"),
    want: [
      `breaking: ${scrape} > header parameter x-service-sdk-version: the parameter was removed`,
      `additive: ${scrape} > query parameter x-service-sdk-version: a parameter was added`,
    ],
  },
  {
    name: "a path parameter renamed",
    edit: ({ paths, components: { parameters } }) => {
      const id = { ...parameters.SessionId, name: "id" };
      paths["/sessions/{id}/replay"] = paths[replayPath];
      paths["/sessions/{id}/replay"].get.parameters[0] = id;
      delete paths[replayPath];
    },
    want: [
      `breaking: ${replay} > path parameter session_id: the parameter is called id now: generated clients take it by its name`,
    ],
  },
  {
    name: "a form for the session id",
    edit: ({ components: { parameters } }) => (parameters.SessionId.schema.format = "uuid"),
    want: [scrape, cookies, replay].map(
      (operation) => `breaking: ${operation} > path parameter session_id: format was added: "uuid"`,
    ),
  },
  {
    name: "a list written otherwise",
    edit: ({ paths }) => (paths[scrapePath].post.parameters[1].explode = false),
    want: [`breaking: ${scrape} > query parameter update_metadata: it is written as form now, was form, exploded`],
  },
  // Requests
  {
    name: "a required field added to a request",
    edit: ({ components: { schemas } }) => {
      schemas.ScrapeRequest.properties.mode = { type: "string" };
      schemas.ScrapeRequest.required = ["mode"];
    },
    want: [`breaking: ${scrapeBody} > mode: a required field was added: requests without it are rejected`],
  },
  {
    name: "an optional field added to a request",
    edit: ({ components: { schemas } }) => (schemas.ScrapeRequest.properties.mode = { type: "string" }),
    want: [`additive: ${scrapeBody} > mode: a field was added`],
  },
  {
    name: "a field removed from a request that rejects unknown ones",
    edit: ({ components: { schemas } }) => delete schemas.ScrapeRequest.properties.selector,
    want: [
      `breaking: ${scrapeBody} > selector: the field was removed: requests with it are rejected, as unknown fields are`,
    ],
  },
  {
    name: "a field of a request made required",
    edit: ({ components: { schemas } }) => (schemas.ScrapeRequest.required = ["selector"]),
    want: [`breaking: ${scrapeBody} > selector: the field is required now`],
  },
  {
    name: "a field of a request no longer required",
    edit: ({ components: { schemas } }) => (schemas.AutomationRequest.required = []),
    want: [`additive: ${start} > request body > application/json > query: the field is no longer required`],
  },
  {
    name: "null no longer allowed in a request",
    edit: ({ components: { schemas } }) => (schemas.ScrapeRequest.properties.selector.type = "string"),
    want: [`breaking: ${scrapeBody} > selector: null is no longer allowed`],
  },
  {
    name: "null allowed in a request",
    edit: ({ components: { schemas } }) => (schemas.AutomationRequest.properties.query.type = ["string", "null"]),
    want: [`additive: ${start} > request body > application/json > query: null is allowed now`],
  },
  {
    name: "a default of a request changed",
    edit: ({ components: { schemas } }) => (schemas.ScrapeRequest.properties.scrape_links.default = false),
    want: [`breaking: ${scrapeBody} > scrape_links: the default changed from true to false`],
  },
  {
    name: "a default of a request removed",
    edit: ({ components: { schemas } }) => delete schemas.ScrapeRequest.properties.scrape_links.default,
    want: [`breaking: ${scrapeBody} > scrape_links: the default true was removed`],
  },
  {
    name: "a default added to a request",
    edit: ({ components: { schemas } }) => (schemas.AutomationRequest.properties.query.default = ""),
    want: [`additive: ${start} > request body > application/json > query: the default "" was added`],
  },
  {
    name: "a bound added to a request",
    edit: ({ components: { schemas } }) => (schemas.AutomationRequest.properties.query.maxLength = 100),
    want: [`breaking: ${start} > request body > application/json > query: maxLength changed from none to 100`],
  },
  {
    name: "a list of values added to a request",
    edit: ({ components: { schemas } }) => (schemas.AutomationRequest.properties.query.enum = ["a"]),
    want: [`breaking: ${start} > request body > application/json > query: only "a" is allowed now`],
  },
  {
    name: "a pattern added to a request",
    edit: ({ components: { schemas } }) => (schemas.AutomationRequest.properties.query.pattern = "^a"),
    want: [`breaking: ${start} > request body > application/json > query: pattern was added: "^a"`],
  },
  {
    name: "unknown fields rejected",
    edit: ({ components: { schemas } }) => (schemas.AutomationRequest.additionalProperties = false),
    want: [`breaking: ${start} > request body > application/json > other fields: unknown fields are rejected now`],
  },
  {
    name: "unknown fields allowed",
    edit: ({ components: { schemas } }) => delete schemas.ScrapeRequest.additionalProperties,
    want: [`additive: ${scrapeBody} > other fields: unknown fields are allowed now`],
  },
  {
    name: "another type of the elements of a list",
    edit: ({ components: { schemas } }) => (schemas.ScrapeRequest.properties.ignored_tags.items.type = "integer"),
    want: [
      `breaking: ${scrapeBody} > ignored_tags > items: type: string is no longer allowed`,
      `additive: ${scrapeBody} > ignored_tags > items: type: integer is allowed now`,
    ],
  },
  {
    name: "a keyword that is not known here added to a request",
    edit: ({ components: { schemas } }) => (schemas.AutomationRequest.dependentRequired = { query: ["a"] }),
    want: [`breaking: ${start} > request body > application/json: dependentRequired was added`],
  },
  {
    name: "a body no longer required",
    edit: ({ paths }) => (paths[startPath].post.requestBody.required = false),
    want: [`additive: ${start} > request body: the body is no longer required`],
  },
  {
    name: "a required body added",
    edit: ({ paths }) => (paths[cookiesPath].get.requestBody = { required: true, content: {} }),
    want: [`breaking: ${cookies} > request body: a required body was added: requests without it are rejected`],
  },
  {
    name: "a body removed",
    edit: ({ paths }) => delete paths[startPath].post.requestBody,
    want: [`breaking: ${start} > request body: the body was removed`],
  },
  {
    name: "another media type of a request",
    edit: ({ paths }) => {
      const { content } = paths[startPath].post.requestBody;
      content["text/plain"] = { schema: { type: "string" } };
      delete content["application/json"];
    },
    want: [
      `breaking: ${start} > request body > application/json: the media type was removed`,
      `additive: ${start} > request body > text/plain: a media type was added`,
    ],
  },
];
