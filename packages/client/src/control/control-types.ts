import type { components, operations, paths } from "@cloud-browser/spec/control-types";
import type { Client } from "openapi-fetch";
import type { CallOptions } from "../calls/operation-call.ts";

/** All schemas of the control interface, by their names in its document. */
export type ControlSchemas = components["schemas"];

/** A session, open or ended. */
export type ControlSession = ControlSchemas["Session"];
/** Options of a new session; all are optional. */
export type OpenSessionRequest = ControlSchemas["CreateSession"];
/** A run: of an automation, or of a function. */
export type ControlRun = ControlSchemas["Run"];
/** A function that an automation created. */
export type ControlFunction = ControlSchemas["Function"];
/** Values with which a function is run. */
export type FunctionRequest = ControlSchemas["RunFunction"];
/** Which entries of a timeline a function is made of; all of it may be left out. */
export type MakeFunctionRequest = ControlSchemas["MakeFunction"];
/** An API key, without itself. */
export type ControlKey = ControlSchemas["Key"];
/** An API key that was just created, with itself: a secret. */
export type CreatedKey = AnswerOf<"create_key">;
/** A profile: logins and storage under a name. */
export type ControlProfile = ControlSchemas["Profile"];
/** Cookies and storage, as Playwright writes them. Secrets. */
export type ProfileState = ControlSchemas["StorageState"];
/** A download or an upload of a session. */
export type ControlFile = ControlSchemas["File"];
/** A request for a person. */
export type ControlHandover = ControlSchemas["Handover"];
/** A token of a session that was just created, with itself: a secret. */
export type CreatedToken = ControlSchemas["MadeToken"];
/** A part of the timeline of a session. */
export type ControlTimeline = ControlSchemas["Timeline"];
/** State of the parts that the service depends on, and their faults. */
export type ControlHealth = ControlSchemas["Health"];

/** Options of a call, which override those of the client. */
export type ControlOptions = Pick<CallOptions, "signal" | "timeouts" | "retries" | "headers" | "maxBodyBytes">;

/** The body of a good answer of an operation that answers with JSON. */
export type AnswerOf<Id extends keyof operations> = operations[Id]["responses"] extends { readonly 200: infer Answer }
  ? JsonIn<Answer>
  : operations[Id]["responses"] extends { readonly 201: infer Answer }
    ? JsonIn<Answer>
    : never;

type JsonIn<Answer> = Answer extends { readonly content: { readonly "application/json": infer Body } } ? Body : never;

/** The query parameters of an operation. */
export type QueryOf<Id extends keyof operations> = NonNullable<operations[Id]["parameters"]["query"]>;

/** A typed client of the control interface that builds requests without a body: that is in the `requestContent`. */
export type ControlApi = Client<
  {
    [Path in keyof paths]: {
      [Method in keyof paths[Path]]: paths[Path][Method] extends { readonly requestBody?: unknown }
        ? Omit<paths[Path][Method], "requestBody">
        : paths[Path][Method];
    };
  } & {
    // Served beside them, but not described in itself.
    "/control/openapi.json": { get: { responses: { 200: { content: { "application/json": unknown } } } } };
  }
>;
