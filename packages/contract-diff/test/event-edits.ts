import {
  cookiesPath,
  replayPath,
  startPath,
  scrape,
  cookies,
  replay,
  start,
  recording,
  events,
  type EditRow,
} from "./places.ts";

const stream = `${start} > response 200 > text/event-stream`;

export const eventEdits: Readonly<Record<string, EditRow>> = {
  // Events
  "an event removed from the union": [
    ({ schemas }) => (schemas.AutomationEvent.oneOf = without(schemas, "ToolStartEvent")),
    `breaking: ${events}: the event tool_start was removed: readers wait for it`,
  ],
  "a terminal event removed from the union": [
    ({ schemas }) => (schemas.AutomationEvent.oneOf = without(schemas, "CancelledEvent")),
    `breaking: ${events}: the terminal event cancelled was removed: readers wait for it`,
  ],
  "an event added to the union": [
    ({ schemas }) => addEvent(schemas, "A note."),
    `additive: ${events}: the event note was added`,
    `documentation: ${events}: the discriminator changed`,
  ],
  "a terminal event added to the union": [
    ({ schemas }) => addEvent(schemas, "The end. Terminal."),
    `breaking: ${events}: the terminal event note was added: readers do not know this end`,
    `documentation: ${events}: the discriminator changed`,
  ],
  "an event renamed": [
    ({ schemas }) => (schemas.SessionDataEvent.properties.type.const = "session_data"),
    `breaking: ${events}: the event notte_session_data was removed: readers wait for it`,
    `additive: ${events}: the event session_data was added`,
  ],
  "an event that no longer ends the stream": [
    ({ schemas }) => (schemas.TimeoutEvent.description = "The agent ran out of time."),
    `breaking: ${events} > timeout: the event no longer ends the stream`,
    `documentation: ${events} > timeout: description changed`,
  ],
  "a key field removed from an event": [
    ({ schemas }) => {
      schemas.DoneEvent.required = ["type", "metadata"];
      delete schemas.DoneEvent.properties.total_cost_usd;
    },
    `breaking: ${events} > done > total_cost_usd: the field was removed: readers miss it`,
  ],
  "a key field of an event made optional": [
    ({ schemas }) => (schemas.TextDeltaEvent.required = ["type"]),
    `breaking: ${events} > text_delta > delta: the field is no longer required`,
  ],
  "a field within an event made optional": [
    ({ schemas }) => (schemas.DoneEvent.properties.metadata.required = []),
    `breaking: ${events} > done > metadata > thread_id: the field is no longer required`,
  ],
  "events of other types no longer allowed": [
    ({ schemas }) => {
      schemas.AutomationEvent.oneOf = without(schemas, "UnknownEvent");
      delete schemas.AutomationEvent.discriminator.defaultMapping;
    },
    `additive: ${events} > any other: events of types that are not listed are no longer allowed`,
    `documentation: ${events}: the discriminator changed`,
  ],
  "events of other types without a type": [
    ({ schemas }) => (schemas.UnknownEvent.required = []),
    `breaking: ${events} > any other > type: the field is no longer required`,
  ],
  "an item of the stream whose data are no JSON": [
    ({ paths }) => {
      const { data } = findStream(paths).itemSchema.properties;
      delete data.contentMediaType;
      delete data.contentSchema;
    },
    `breaking: ${stream} > item > data: contentMediaType was removed`,
    `breaking: ${events}: the events are no longer described`,
  ],
  "an item of the stream that may have no data": [
    ({ paths }) => (findStream(paths).itemSchema.required = []),
    `breaking: ${stream} > item > data: the field is no longer required`,
  ],
  "the events no longer described": [
    ({ paths }) => delete findStream(paths).itemSchema,
    `breaking: ${events}: the events are no longer described`,
  ],
  "a stream that becomes a document": [
    ({ paths }) => {
      const response = paths[startPath].post.responses["200"];
      response.content = { "application/json": { schema: {} } };
    },
    `breaking: ${start} > response 200 > text/event-stream: the media type was removed`,
    `additive: ${start} > response 200 > application/json: a media type was added`,
  ],
  // Security
  "security removed from an operation": [
    ({ paths }) => (paths[cookiesPath].get.security = []),
    `breaking: ${cookies} > security: OAuth2PasswordBearer was removed`,
    `breaking: ${cookies} > security: credentials are no longer needed: everybody has access`,
  ],
  "security made optional": [
    ({ paths }) => paths[cookiesPath].get.security.push({}),
    `breaking: ${cookies} > security: credentials are no longer needed: everybody has access`,
  ],
  "another scheme for an operation": [
    ({ paths }) => (paths[startPath].post.security = [{ OAuth2PasswordBearer: [] }]),
    `breaking: ${start} > security: BearerAuth was removed`,
    `breaking: ${start} > security: OAuth2PasswordBearer was added`,
  ],
  "a further scheme beside the one that stays": [
    ({ paths }) => paths[startPath].post.security.push({ OAuth2PasswordBearer: [] }),
    `additive: ${start} > security: OAuth2PasswordBearer was added`,
  ],
  "a second scheme needed as well": [
    ({ paths }) => (paths[startPath].post.security = [{ BearerAuth: [], OAuth2PasswordBearer: [] }]),
    `breaking: ${start} > security: BearerAuth was removed`,
    `breaking: ${start} > security: BearerAuth with OAuth2PasswordBearer was added`,
  ],
  "a scheme of another type": [
    ({ securitySchemes }) => {
      securitySchemes.BearerAuth = { type: "apiKey", in: "header", name: "x-api-key" };
    },
    `breaking: ${start} > security: BearerAuth changed from http bearer to apiKey`,
  ],
  "another token URL": [
    ({ securitySchemes }) => (securitySchemes.OAuth2PasswordBearer.flows.password.tokenUrl = "oauth"),
    ...[scrape, cookies, replay].map((operation) => `breaking: ${operation} > security: OAuth2PasswordBearer changed`),
  ],
  "a scope that is needed": [
    ({ paths }) => (paths[replayPath].get.security = [{ OAuth2PasswordBearer: ["replay"] }]),
    `breaking: ${replay} > security: OAuth2PasswordBearer needs the scope replay now`,
  ],
  "a scheme with another name": [
    ({ paths, securitySchemes }) => {
      securitySchemes.ApiKey = securitySchemes.BearerAuth;
      delete securitySchemes.BearerAuth;
      paths[startPath].post.security = [{ ApiKey: [] }];
    },
    `documentation: ${start} > security: BearerAuth is called ApiKey now`,
  ],
  // Documentation
  "descriptions, examples, titles and the version": [
    ({ info, paths, schemas }) => {
      info.version = "1.4.41";
      schemas.Cookie.properties.name.description = "x";
      schemas.ReplayResponse.properties.expires_at.title = "x";
      delete paths[startPath].post.requestBody.content["application/json"].examples;
    },
    `documentation: ${cookies} > response 200 > application/json > cookies > items > name: description changed`,
    `documentation: ${recording} > expires_at: title changed`,
    `documentation: ${start} > request body > application/json: examples changed`,
    "documentation: info: info changed",
  ],
};

// oxlint-disable-next-line typescript/no-explicit-any -- part of a JSON document
function findStream(paths: any): any {
  return paths[startPath].post.responses["200"].content["text/event-stream"];
}

// oxlint-disable-next-line typescript/no-explicit-any -- schemas of a JSON document
function without(schemas: any, name: string): unknown[] {
  return schemas.AutomationEvent.oneOf.filter(({ $ref }: { $ref: string }) => !$ref.endsWith(`/${name}`));
}

// oxlint-disable-next-line typescript/no-explicit-any -- schemas of a JSON document
function addEvent(schemas: any, description: string): void {
  schemas.NoteEvent = { type: "object", description, required: ["type"], properties: { type: { const: "note" } } };
  const reference = "#/components/schemas/NoteEvent";
  schemas.AutomationEvent.oneOf.push({ $ref: reference });
  schemas.AutomationEvent.discriminator.mapping.note = reference;
  schemas.UnknownEvent.properties.type.not.enum.push("note");
}
