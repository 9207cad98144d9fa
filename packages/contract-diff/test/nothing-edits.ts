import { scrapePath, cookiesPath, replayPath, startPath, type Edit } from "./places.ts";

/** Edits that say the same in other words. */
export const nothingEdits: Readonly<Record<string, Edit>> = {
  "nothing was edited": () => {},
  "fields, required names, values, events, parameters, tags and paths are in another order": ({
    contract,
    schemas,
  }) => {
    schemas.ScrapeRequest.properties = turned(schemas.ScrapeRequest.properties);
    schemas.ReplayResponse.required.reverse();
    schemas.ImageCategory.enum.reverse();
    schemas.AutomationEvent.oneOf.reverse();
    contract.paths[scrapePath].post.parameters.reverse();
    contract.paths[scrapePath].post.tags.reverse();
    contract.paths = turned(contract.paths);
  },
  "a reference is replaced by what it leads to": ({ schemas }) => {
    schemas.CookiesResponse.properties.cookies.items = structuredClone(schemas.Cookie);
  },
  "null is written as a choice": ({ schemas }) => {
    const { type: _, ...rest } = schemas.ImageData.properties.url;
    schemas.ImageData.properties.url = { ...rest, anyOf: [{ type: "null" }, { type: "string" }] };
  },
  "null is no longer a choice of a header, which can't be null when it is sent": ({ parameters }) =>
    (parameters.ServiceSdkVersion.schema.type = "string"),
  "a header's null is written as a choice": ({ parameters }) => {
    const { type: _, ...rest } = parameters.ServiceSdkVersion.schema;
    parameters.ServiceSdkVersion.schema = { ...rest, anyOf: [{ type: "string" }, { type: "null" }] };
  },
  "one schema is put together from two": ({ schemas }) => {
    const { required, ...rest } = schemas.ReplayResponse;
    schemas.ReplayResponse = { allOf: [rest, { required }] };
  },
  "a constant is written as a list of one value": ({ schemas }) => {
    const { const: only, ...rest } = schemas.DoneEvent.properties.type;
    schemas.DoneEvent.properties.type = { ...rest, enum: [only] };
  },
  "parameters are given for the whole path": ({ paths }) => {
    const { get } = paths[cookiesPath];
    paths[cookiesPath].parameters = get.parameters;
    delete get.parameters;
  },
  "the JSON of an event stands for the whole item of the stream, which is text": ({ paths }) => {
    const stream = paths[startPath].post.responses["200"].content["text/event-stream"];
    stream.itemSchema = stream.itemSchema.properties.data.contentSchema;
    stream.schema = { type: "string" };
  },
  "security is given for the whole document": ({ contract }) => {
    contract.security = contract.paths[replayPath].get.security;
    delete contract.paths[replayPath].get.security;
  },
  "a header has another case": ({ parameters }) => {
    parameters.ServiceSdkVersion.name = "X-Service-SDK-Version";
  },
  "a media type has blanks and capitals": ({ paths }) => {
    const { content } = paths[startPath].post.requestBody;
    content["Application/JSON"] = content["application/json"];
    delete content["application/json"];
  },
  "a schema that nobody refers to was added": ({ schemas }) => {
    schemas.Lonely = { type: "string" };
  },
  "what holds anyway is said": ({ schemas, paths }) => {
    schemas.ScrapeRequest.properties.ignored_tags.uniqueItems = false;
    schemas.DoneEvent.additionalProperties = true;
    paths[scrapePath].post.parameters[1].style = "form";
    paths[scrapePath].post.parameters[1].explode = true;
  },
};

function turned(node: object): object {
  return Object.fromEntries(Object.entries(node).toReversed());
}
