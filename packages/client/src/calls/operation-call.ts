import type { ClientError } from "../errors/client-error.ts";
import type { Connection, RequestBuilder, RequestContent } from "../http/connection.ts";
import type { AttemptInit, OperationHeaders, OperationRequest } from "./operation-request.ts";
import type { CallTimeouts, CloudBrowserOptions } from "../options/settings.ts";

/** Options of a call, which override those of the client. */
export interface CallOptions extends CloudBrowserOptions {
  /** Aborts the call, also while the body is read and between attempts. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** Options and connection of a call. */
export interface CallContext {
  /** Options of the call, merged with those of the client. */
  readonly options: CallOptions & { readonly timeouts: CallTimeouts };
  /** Headers of the client, merged with those of the call. */
  readonly headers: RequestContent["headers"];
  /** Authorizes and sends requests. */
  readonly connection: Connection;
  /** Builds requests, and runs middleware. */
  readonly builder: RequestBuilder;
}

/** An operation: its request, and how its response is decoded. */
export type OperationCall<Data> = CallTerms & (ReadsJson<Data> | ReadsStream<Data>);

/** The request of an operation, and its retry policy. */
interface CallTerms {
  /** The operation, and the content of its request. */
  readonly request: OperationRequest | ControlRequest;
  /** Further options that must be positive numbers, by name. Default: none. */
  readonly limits?: Readonly<Record<string, number | undefined>>;
  /** Returns whether the request is sent again after an error. Default: `isTransient`, for operations that are safe to repeat. */
  readonly isRetryable?: (error: ClientError) => boolean;
  /** Overrides the `retries` of the options. Default: none. */
  readonly retries?: CloudBrowserOptions["retries"];
}

/** A request that is not one of the contract. */
export interface ControlRequest {
  /** The method that was called. */
  readonly operation: `control.${string}`;
  /** Builds the request, as `sendOperation` does. */
  readonly send: (
    builder: RequestBuilder,
    headers: OperationHeaders,
    init: AttemptInit,
  ) => Promise<{ readonly response: Response }>;
}

/** An operation whose response is a JSON object. */
interface ReadsJson<Data> {
  readonly accept?: undefined;
  /** Describes, for errors, why an object can't be decoded. */
  readonly wrong: string;
  /** Decodes the body, until the signal aborts; returns `undefined` when its shape is not the expected one. */
  readonly decode: (body: JsonObject, signal: AbortSignal) => Data | undefined | Promise<Data | undefined>;
}

/** An operation whose response is a stream. */
interface ReadsStream<Data> {
  /** Value of the `Accept` header. */
  readonly accept: string;
  /** Decodes a 2xx response, whose body is unread. Until it has, the limit of a body applies. */
  readonly decode: (response: Response) => Data | Promise<Data>;
}

/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Result and response of a call. */
export interface Answer<Data> {
  /** The decoded result. */
  readonly data: Data;
  /** The response; its body has been read, or is in use. */
  readonly response: Response;
  /** Text of the body; absent when it is in use. */
  readonly text?: string | undefined;
}
