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
  type ToldEdit,
} from "./places.ts";

const stream = `${start} > response 200 > text/event-stream`;

export const eventEdits: readonly ToldEdit[] = [
  // Events
  {
    name: "an event removed from the union",
    edit: ({ components: { schemas } }) => (schemas.AutomationEvent.oneOf = without(schemas, "ToolStartEvent")),
    want: [`breaking: ${events}: the event tool_start was removed: readers wait for it`],
  },
  {
    name: "a terminal event removed from the union",
    edit: ({ components: { schemas } }) => (schemas.AutomationEvent.oneOf = without(schemas, "CancelledEvent")),
    want: [`breaking: ${events}: the terminal event cancelled was removed: readers wait for it`],
  },
  {
    name: "an event added to the union",
    edit: ({ components: { schemas } }) => addEvent(schemas, "A note."),
    want: [`additive: ${events}: the event note was added`, `documentation: ${events}: the discriminator changed`],
  },
  {
    name: "a terminal event added to the union",
    edit: ({ components: { schemas } }) => addEvent(schemas, "The end. Terminal."),
    want: [
      `breaking: ${events}: the terminal event note was added: readers do not know this end`,
      `documentation: ${events}: the discriminator changed`,
    ],
  },
  {
    name: "an event renamed",
    edit: ({ components: { schemas } }) => (schemas.SessionDataEvent.properties.type.const = "session_data"),
    want: [
      `breaking: ${events}: the event notte_session_data was removed: readers wait for it`,
      `additive: ${events}: the event session_data was added`,
    ],
  },
  {
    name: "an event that no longer ends the stream",
    edit: ({ components: { schemas } }) => (schemas.TimeoutEvent.description = "The agent ran out of time."),
    want: [
      `breaking: ${events} > timeout: the event no longer ends the stream`,
      `documentation: ${events} > timeout: description changed`,
    ],
  },
  {
    name: "a key field removed from an event",
    edit: ({ components: { schemas } }) => {
      schemas.DoneEvent.required = ["type", "metadata"];
      delete schemas.DoneEvent.properties.total_cost_usd;
    },
    want: [`breaking: ${events} > done > total_cost_usd: the field was removed: readers miss it`],
  },
  {
    name: "a key field of an event made optional",
    edit: ({ components: { schemas } }) => (schemas.TextDeltaEvent.required = ["type"]),
    want: [`breaking: ${events} > text_delta > delta: the field is no longer required`],
  },
  {
    name: "a field within an event made optional",
    edit: ({ components: { schemas } }) => (schemas.DoneEvent.properties.metadata.required = []),
    want: [`breaking: ${events} > done > metadata > thread_id: the field is no longer required`],
  },
  {
    name: "events of other types no longer allowed",
    edit: ({ components: { schemas } }) => {
      schemas.AutomationEvent.oneOf = without(schemas, "UnknownEvent");
      delete schemas.AutomationEvent.discriminator.defaultMapping;
    },
    want: [
      `additive: ${events} > any other: events of types that are not listed are no longer allowed`,
      `documentation: ${events}: the discriminator changed`,
    ],
  },
  {
    name: "events of other types without a type",
    edit: ({ components: { schemas } }) => (schemas.UnknownEvent.required = []),
    want: [`breaking: ${events} > any other > type: the field is no longer required`],
  },
  {
    name: "an item of the stream whose data are no JSON",
    edit: ({ paths }) => {
      const { data } = findStream(paths).itemSchema.properties;
      delete data.contentMediaType;
      delete data.contentSchema;
    },
    want: [
      `breaking: ${stream} > item > data: contentMediaType was removed`,
      `breaking: ${events}: the events are no longer described`,
    ],
  },
  {
    name: "an item of the stream that may have no data",
    edit: ({ paths }) => (findStream(paths).itemSchema.required = []),
    want: [`breaking: ${stream} > item > data: the field is no longer required`],
  },
  {
    name: "the events no longer described",
    edit: ({ paths }) => delete findStream(paths).itemSchema,
    want: [`breaking: ${events}: the events are no longer described`],
  },
  {
    name: "a stream that becomes a document",
    edit: ({ paths }) => {
      const response = paths[startPath].post.responses["200"];
      response.content = { "application/json": { schema: {} } };
    },
    want: [
      `breaking: ${start} > response 200 > text/event-stream: the media type was removed`,
      `additive: ${start} > response 200 > application/json: a media type was added`,
    ],
  },
  // Security
  {
    name: "security removed from an operation",
    edit: ({ paths }) => (paths[cookiesPath].get.security = []),
    want: [
      `breaking: ${cookies} > security: OAuth2PasswordBearer was removed`,
      `breaking: ${cookies} > security: credentials are no longer needed: everybody has access`,
    ],
  },
  {
    name: "security made optional",
    edit: ({ paths }) => paths[cookiesPath].get.security.push({}),
    want: [`breaking: ${cookies} > security: credentials are no longer needed: everybody has access`],
  },
  {
    name: "another scheme for an operation",
    edit: ({ paths }) => (paths[startPath].post.security = [{ OAuth2PasswordBearer: [] }]),
    want: [
      `breaking: ${start} > security: BearerAuth was removed`,
      `breaking: ${start} > security: OAuth2PasswordBearer was added`,
    ],
  },
  {
    name: "a further scheme beside the one that stays",
    edit: ({ paths }) => paths[startPath].post.security.push({ OAuth2PasswordBearer: [] }),
    want: [`additive: ${start} > security: OAuth2PasswordBearer was added`],
  },
  {
    name: "a second scheme needed as well",
    edit: ({ paths }) => (paths[startPath].post.security = [{ BearerAuth: [], OAuth2PasswordBearer: [] }]),
    want: [
      `breaking: ${start} > security: BearerAuth was removed`,
      `breaking: ${start} > security: BearerAuth with OAuth2PasswordBearer was added`,
    ],
  },
  {
    name: "a scheme of another type",
    edit: ({ components: { securitySchemes } }) => {
      securitySchemes.BearerAuth = { type: "apiKey", in: "header", name: "x-api-key" };
    },
    want: [`breaking: ${start} > security: BearerAuth changed from http bearer to apiKey`],
  },
  {
    name: "another token URL",
    edit: ({ components: { securitySchemes } }) =>
      (securitySchemes.OAuth2PasswordBearer.flows.password.tokenUrl = "oauth"),
    want: [scrape, cookies, replay].map(
      (operation) => `breaking: ${operation} > security: OAuth2PasswordBearer changed`,
    ),
  },
  {
    name: "a scope that is needed",
    edit: ({ paths }) => (paths[replayPath].get.security = [{ OAuth2PasswordBearer: ["replay"] }]),
    want: [`breaking: ${replay} > security: OAuth2PasswordBearer needs the scope replay now`],
  },
  {
    name: "a scheme with another name",
    edit: ({ paths, components: { securitySchemes } }) => {
      securitySchemes.ApiKey = securitySchemes.BearerAuth;
      delete securitySchemes.BearerAuth;
      paths[startPath].post.security = [{ ApiKey: [] }];
    },
    want: [`documentation: ${start} > security: BearerAuth is called ApiKey now`],
  },
  // Documentation
  {
    name: "descriptions, examples, titles and the version",
    edit: ({ info, paths, components: { schemas } }) => {
      info.version = "1.4.41";
      schemas.Cookie.properties.name.description = "x";
      schemas.ReplayResponse.properties.expires_at.title = "x";
      delete paths[startPath].post.requestBody.content["application/json"].examples;
    },
    want: [
      `documentation: ${cookies} > response 200 > application/json > cookies > items > name: description changed`,
      `documentation: ${recording} > expires_at: title changed`,
      `documentation: ${start} > request body > application/json: examples changed`,
      "documentation: info: info changed",
    ],
  },
];

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
