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
  type EditRow,
} from "./places.ts";

export const requestEdits: Readonly<Record<string, EditRow>> = {
  // Operations, addresses
  "an operation removed": [({ paths }) => delete paths[cookiesPath], `breaking: ${cookies}: the operation was removed`],
  "an operation added": [
    ({ paths }) => (paths["/health"] = { get: { responses: {} } }),
    "additive: GET /health: an operation was added",
  ],
  "another method": [
    ({ paths }) => (paths[cookiesPath] = { post: paths[cookiesPath].get }),
    `breaking: ${cookies}: the operation was removed`,
    `additive: POST ${cookiesPath}: an operation was added`,
  ],
  "an additional operation of OpenAPI 3.2 added": [
    ({ paths }) => (paths[cookiesPath].additionalOperations = { COPY: { responses: {} } }),
    `additive: COPY ${cookiesPath}: an operation was added`,
  ],
  "another operationId": [
    ({ paths }) => (paths[cookiesPath].get.operationId = "cookies"),
    `breaking: ${cookies}: operationId changed from session_cookies to cookies: generated clients name their functions after it`,
  ],
  "an operation moved to another address": [
    ({ paths }) => delete paths[startPath].servers,
    `breaking: ${start} > servers: the address {automation_url} was removed`,
    `additive: ${start} > servers: the address {base_url} was added`,
  ],
  "an address with a variable replaced by another than its default": [
    ({ paths }) => (paths[startPath].servers = [{ url: "http://127.0.0.1:4011" }]),
    `breaking: ${start} > servers: the address {automation_url} was removed`,
    `additive: ${start} > servers: the address http://127.0.0.1:4011 was added`,
  ],
  "an operation deprecated, described otherwise, with another tag": [
    ({ paths }) => Object.assign(paths[replayPath].get, { deprecated: true, description: "x", tags: ["network"] }),
    ...["description", "tags", "deprecated"].map((name) => `documentation: ${replay}: ${name} changed`),
  ],
  // Parameters
  "a required query parameter added": [
    ({ paths }) => paths[cookiesPath].get.parameters.push({ name: "domain", in: "query", required: true, schema: {} }),
    `breaking: ${cookies} > query parameter domain: a required parameter was added: requests without it are rejected`,
  ],
  "an optional query parameter added": [
    ({ paths }) => paths[cookiesPath].get.parameters.push({ name: "domain", in: "query", schema: {} }),
    `additive: ${cookies} > query parameter domain: a parameter was added`,
  ],
  "a query parameter removed": [
    ({ paths }) => paths[scrapePath].post.parameters.splice(1, 1),
    `breaking: ${scrape} > query parameter update_metadata: the parameter was removed`,
  ],
  "a query parameter made required": [
    ({ paths }) => (paths[scrapePath].post.parameters[1].required = true),
    `breaking: ${scrape} > query parameter update_metadata: the parameter is required now`,
  ],
  "the default of a query parameter changed": [
    ({ paths }) => (paths[scrapePath].post.parameters[1].schema.default = false),
    `breaking: ${scrape} > query parameter update_metadata: the default changed from true to false`,
  ],
  "another type of a query parameter": [
    ({ paths }) => (paths[scrapePath].post.parameters[1].schema.type = "string"),
    `breaking: ${scrape} > query parameter update_metadata: type: boolean is no longer allowed`,
    `additive: ${scrape} > query parameter update_metadata: type: string is allowed now`,
  ],
  "a parameter moved from a header to the query": [
    ({ parameters }) => (parameters.ServiceSdkVersion.in = "query"),
    `breaking: ${scrape} > header parameter x-service-sdk-version: the parameter was removed`,
    `additive: ${scrape} > query parameter x-service-sdk-version: a parameter was added`,
  ],
  "a path parameter renamed": [
    ({ paths, parameters }) => {
      const id = { ...parameters.SessionId, name: "id" };
      paths["/sessions/{id}/replay"] = paths[replayPath];
      paths["/sessions/{id}/replay"].get.parameters[0] = id;
      delete paths[replayPath];
    },
    `breaking: ${replay} > path parameter session_id: the parameter is called id now: generated clients take it by its name`,
  ],
  "a form for the session id": [
    ({ parameters }) => (parameters.SessionId.schema.format = "uuid"),
    ...[scrape, cookies, replay].map(
      (operation) => `breaking: ${operation} > path parameter session_id: format was added: "uuid"`,
    ),
  ],
  "a list written otherwise": [
    ({ paths }) => (paths[scrapePath].post.parameters[1].explode = false),
    `breaking: ${scrape} > query parameter update_metadata: it is written as form now, was form, exploded`,
  ],
  // Requests
  "a required field added to a request": [
    ({ schemas }) => {
      schemas.ScrapeRequest.properties.mode = { type: "string" };
      schemas.ScrapeRequest.required = ["mode"];
    },
    `breaking: ${scrapeBody} > mode: a required field was added: requests without it are rejected`,
  ],
  "an optional field added to a request": [
    ({ schemas }) => (schemas.ScrapeRequest.properties.mode = { type: "string" }),
    `additive: ${scrapeBody} > mode: a field was added`,
  ],
  "a field removed from a request that rejects unknown ones": [
    ({ schemas }) => delete schemas.ScrapeRequest.properties.selector,
    `breaking: ${scrapeBody} > selector: the field was removed: requests with it are rejected, as unknown fields are`,
  ],
  "a field of a request made required": [
    ({ schemas }) => (schemas.ScrapeRequest.required = ["selector"]),
    `breaking: ${scrapeBody} > selector: the field is required now`,
  ],
  "a field of a request no longer required": [
    ({ schemas }) => (schemas.AutomationRequest.required = []),
    `additive: ${start} > request body > application/json > query: the field is no longer required`,
  ],
  "null no longer allowed in a request": [
    ({ schemas }) => (schemas.ScrapeRequest.properties.selector.type = "string"),
    `breaking: ${scrapeBody} > selector: null is no longer allowed`,
  ],
  "null allowed in a request": [
    ({ schemas }) => (schemas.AutomationRequest.properties.query.type = ["string", "null"]),
    `additive: ${start} > request body > application/json > query: null is allowed now`,
  ],
  "a default of a request changed": [
    ({ schemas }) => (schemas.ScrapeRequest.properties.scrape_links.default = false),
    `breaking: ${scrapeBody} > scrape_links: the default changed from true to false`,
  ],
  "a default of a request removed": [
    ({ schemas }) => delete schemas.ScrapeRequest.properties.scrape_links.default,
    `breaking: ${scrapeBody} > scrape_links: the default true was removed`,
  ],
  "a default added to a request": [
    ({ schemas }) => (schemas.AutomationRequest.properties.query.default = ""),
    `additive: ${start} > request body > application/json > query: the default "" was added`,
  ],
  "a bound added to a request": [
    ({ schemas }) => (schemas.AutomationRequest.properties.query.maxLength = 100),
    `breaking: ${start} > request body > application/json > query: maxLength changed from none to 100`,
  ],
  "a list of values added to a request": [
    ({ schemas }) => (schemas.AutomationRequest.properties.query.enum = ["a"]),
    `breaking: ${start} > request body > application/json > query: only "a" is allowed now`,
  ],
  "a pattern added to a request": [
    ({ schemas }) => (schemas.AutomationRequest.properties.query.pattern = "^a"),
    `breaking: ${start} > request body > application/json > query: pattern was added: "^a"`,
  ],
  "unknown fields rejected": [
    ({ schemas }) => (schemas.AutomationRequest.additionalProperties = false),
    `breaking: ${start} > request body > application/json > other fields: unknown fields are rejected now`,
  ],
  "unknown fields allowed": [
    ({ schemas }) => delete schemas.ScrapeRequest.additionalProperties,
    `additive: ${scrapeBody} > other fields: unknown fields are allowed now`,
  ],
  "another type of the elements of a list": [
    ({ schemas }) => (schemas.ScrapeRequest.properties.ignored_tags.items.type = "integer"),
    `breaking: ${scrapeBody} > ignored_tags > items: type: string is no longer allowed`,
    `additive: ${scrapeBody} > ignored_tags > items: type: integer is allowed now`,
  ],
  "a keyword that is not known here added to a request": [
    ({ schemas }) => (schemas.AutomationRequest.dependentRequired = { query: ["a"] }),
    `breaking: ${start} > request body > application/json: dependentRequired was added`,
  ],
  "a body no longer required": [
    ({ paths }) => (paths[startPath].post.requestBody.required = false),
    `additive: ${start} > request body: the body is no longer required`,
  ],
  "a required body added": [
    ({ paths }) => (paths[cookiesPath].get.requestBody = { required: true, content: {} }),
    `breaking: ${cookies} > request body: a required body was added: requests without it are rejected`,
  ],
  "a body removed": [
    ({ paths }) => delete paths[startPath].post.requestBody,
    `breaking: ${start} > request body: the body was removed`,
  ],
  "another media type of a request": [
    ({ paths }) => {
      const { content } = paths[startPath].post.requestBody;
      content["text/plain"] = { schema: { type: "string" } };
      delete content["application/json"];
    },
    `breaking: ${start} > request body > application/json: the media type was removed`,
    `additive: ${start} > request body > text/plain: a media type was added`,
  ],
};
