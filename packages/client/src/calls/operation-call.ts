import type { ClientError } from "../errors/client-error.ts";
import type { Connection, RawClient } from "../http/connection.ts";
import type { OperationRequest } from "./operation-request.ts";
import type { CallTimeouts, CloudBrowserOptions } from "../options/settings.ts";

/** Options of one call; those that are given replace those of the client. */
export interface CallOptions extends CloudBrowserOptions {
  /** Ends the call when it aborts, also while the body is read and between attempts. Default: never. */
  readonly signal?: AbortSignal | undefined;
}

/** What a call is made with. */
export interface CallContext {
  /** Options of the call, completed by those of the client. */
  readonly options: CallOptions & { readonly timeouts: CallTimeouts };
  /** Authorizes and sends. */
  readonly connection: Connection;
  /** Builds the requests, and has the middleware. */
  readonly raw: RawClient;
}

/** One operation: what it sends, and what it makes of the answer. */
export type OperationCall<Data> = CallTerms & (ReadsJson<Data> | ReadsStream<Data>);

/** The request of an operation, and how it is sent. */
interface CallTerms {
  /** The operation, and the content of its request. */
  readonly request: OperationRequest;
  /** Options that must be positive numbers, beside those of every call. Default: none. */
  readonly limits?: readonly (number | undefined)[];
  /** Tells whether a failure may pass, and nothing speaks against sending the same again. Default: as for what is safe to repeat. */
  readonly isRetryable?: (error: ClientError) => boolean;
  /** Retries, instead of those of the options. Default: those. */
  readonly retries?: CloudBrowserOptions["retries"];
}

/** An operation that is answered with a JSON object. */
interface ReadsJson<Data> {
  readonly accept?: undefined;
  /** Makes the result of the body; `undefined` when it is not what it should be. */
  readonly decode: (body: JsonObject) => Data | undefined | Promise<Data | undefined>;
}

/** An operation that is answered with a stream. */
interface ReadsStream<Data> {
  /** Media types that it asks for. */
  readonly accept: string;
  /** Makes the result of a 2xx answer, whose body nobody has read. */
  readonly decode: (response: Response) => Data;
}

/** A JSON object as parsed. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The result of a call, and its answer. */
export interface Answer<Data> {
  /** Result of the call. */
  readonly data: Data;
  /** The answer; its body is read, or in use. */
  readonly response: Response;
  /** The body that was read; absent when it is in use. */
  readonly text?: string | undefined;
}
