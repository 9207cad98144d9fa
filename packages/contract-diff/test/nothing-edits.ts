import { scrapePath, cookiesPath, replayPath, startPath, type ContractEdit } from "./places.ts";

/** Edits that say the same in other words. */
export const nothingEdits: readonly ContractEdit[] = [
  { name: "nothing was edited", edit: () => {} },
  {
    name: "fields, required names, values, events, parameters, tags and paths are in another order",
    edit: (contract) => {
      const { schemas } = contract.components;
      schemas.ScrapeRequest.properties = turned(schemas.ScrapeRequest.properties);
      schemas.ReplayResponse.required.reverse();
      schemas.ImageCategory.enum.reverse();
      schemas.AutomationEvent.oneOf.reverse();
      contract.paths[scrapePath].post.parameters.reverse();
      contract.paths[scrapePath].post.tags.reverse();
      contract.paths = turned(contract.paths);
    },
  },
  {
    name: "a reference is replaced by what it leads to",
    edit: ({ components: { schemas } }) => {
      schemas.CookiesResponse.properties.cookies.items = structuredClone(schemas.Cookie);
    },
  },
  {
    name: "null is written as a choice",
    edit: ({ components: { schemas } }) => {
      const { type: _, ...rest } = schemas.ImageData.properties.url;
      schemas.ImageData.properties.url = { ...rest, anyOf: [{ type: "null" }, { type: "string" }] };
    },
  },
  {
    name: "null is no longer a choice of a header, which can't be null when it is sent",
    edit: ({ components: { parameters } }) => (parameters.ServiceSdkVersion.schema.type = "string"),
  },
  {
    name: "a header's null is written as a choice",
    edit: ({ components: { parameters } }) => {
      const { type: _, ...rest } = parameters.ServiceSdkVersion.schema;
      parameters.ServiceSdkVersion.schema = { ...rest, anyOf: [{ type: "string" }, { type: "null" }] };
    },
  },
  {
    name: "one schema is put together from two",
    edit: ({ components: { schemas } }) => {
      const { required, ...rest } = schemas.ReplayResponse;
      schemas.ReplayResponse = { allOf: [rest, { required }] };
    },
  },
  {
    name: "a constant is written as a list of one value",
    edit: ({ components: { schemas } }) => {
      const { const: only, ...rest } = schemas.DoneEvent.properties.type;
      schemas.DoneEvent.properties.type = { ...rest, enum: [only] };
    },
  },
  {
    name: "parameters are given for the whole path",
    edit: ({ paths }) => {
      const { get } = paths[cookiesPath];
      paths[cookiesPath].parameters = get.parameters;
      delete get.parameters;
    },
  },
  {
    name: "the JSON of an event stands for the whole item of the stream, which is text",
    edit: ({ paths }) => {
      const stream = paths[startPath].post.responses["200"].content["text/event-stream"];
      stream.itemSchema = stream.itemSchema.properties.data.contentSchema;
      stream.schema = { type: "string" };
    },
  },
  {
    name: "security is given for the whole document",
    edit: (contract) => {
      contract.security = contract.paths[replayPath].get.security;
      delete contract.paths[replayPath].get.security;
    },
  },
  {
    name: "a header has another case",
    edit: ({ components: { parameters } }) => {
      parameters.ServiceSdkVersion.name = "X-Service-SDK-Version";
    },
  },
  {
    name: "a media type has blanks and capitals",
    edit: ({ paths }) => {
      const { content } = paths[startPath].post.requestBody;
      content["Application/JSON"] = content["application/json"];
      delete content["application/json"];
    },
  },
  {
    name: "a schema that nobody refers to was added",
    edit: ({ components: { schemas } }) => {
      schemas.Lonely = { type: "string" };
    },
  },
  {
    name: "what holds anyway is said",
    edit: ({ components: { schemas }, paths }) => {
      schemas.ScrapeRequest.properties.ignored_tags.uniqueItems = false;
      schemas.DoneEvent.additionalProperties = true;
      paths[scrapePath].post.parameters[1].style = "form";
      paths[scrapePath].post.parameters[1].explode = true;
    },
  },
];

function turned(node: object): object {
  return Object.fromEntries(Object.entries(node).toReversed());
}
