import type { ClientPromise } from "../calls/client-promise.ts";
import type { ControlCalls } from "./control-calls.ts";
import { ClientError, ownError, makeAbortedError } from "../errors/client-error.ts";
import { connectionError } from "../errors/connection-error.ts";
import { addressRequest, sendWith } from "../http/foreign-fetch.ts";
import type { CustomFetch } from "../options/custom-fetch.ts";
import type { AnswerOf, ControlFile, ControlOptions } from "./control-types.ts";

/** Downloads and uploads of sessions. */
export interface FileControl {
  /** Lists the files of a session, the oldest first, also after its end. */
  list(sessionId: string, options?: ControlOptions): ClientPromise<AnswerOf<"list_files">>;
  /** Uploads a file for the file choosers of a session's pages. */
  upload(
    sessionId: string,
    name: string,
    content: Blob | Uint8Array<ArrayBuffer> | string,
    options?: ControlOptions,
  ): ClientPromise<ControlFile>;
  /**
   * Downloads a file: resolves with the response, whose body is unread. A file in a bucket is fetched from there, by its presigned URL and
   * without the API key.
   */
  download(sessionId: string, fileId: string, options?: ControlOptions): Promise<Response>;
}

/**
 * Returns the methods about files.
 *
 * @param fetch - fetches presigned URLs. Default: the global `fetch`.
 */
export function fileControl(calls: ControlCalls, fetch: CustomFetch | undefined): FileControl {
  return {
    list: (sessionId, options = {}) =>
      calls.json<"list_files">({
        method: "control.files.list",
        send: (api, init) =>
          api.GET("/control/sessions/{session_id}/files", { ...init, params: { path: { session_id: sessionId } } }),
        ids: { sessionId },
        isRepeatable: true,
        options,
      }),
    upload: (sessionId, name, content, options = {}) =>
      calls.json<"upload_file">({
        method: "control.files.upload",
        send: (api, init) =>
          api.POST("/control/sessions/{session_id}/files", {
            ...init,
            params: { path: { session_id: sessionId }, query: { name } },
          }),
        ids: { sessionId, name },
        bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
        isRepeatable: false,
        options,
      }),
    async download(sessionId, fileId, options = {}) {
      try {
        return await calls.response({
          method: "control.files.download",
          send: (api, init) =>
            api.GET("/control/sessions/{session_id}/files/{file_id}", {
              ...init,
              params: { path: { session_id: sessionId, file_id: fileId } },
            }),
          ids: { sessionId, fileId },
          isRepeatable: true,
          options,
        });
      } catch (thrown) {
        const { code, status, headers } = ownError(thrown) ?? {};
        const location = headers?.get("location");
        if (code !== "redirect" || status !== 307 || !location || !/^https?:/.test(location)) throw thrown;
        return fetchPresigned(calls, location, options, fetch);
      }
    },
  };
}

/** Fetches a file from its bucket; neither the key nor the query of its address is part of an error. */
async function fetchPresigned(
  { connection: { redact } }: ControlCalls,
  address: string,
  { signal }: ControlOptions,
  fetch: CustomFetch | undefined,
): Promise<Response> {
  const where = address.replace(/[?#].*/, "");
  const request = addressRequest(new Request(address, { signal: signal ?? null, redirect: "manual" }));
  let response: Response;
  try {
    response = await (fetch ? sendWith(fetch, request, undefined, false) : globalThis.fetch(request));
  } catch (thrown) {
    if (signal?.aborted) throw makeAbortedError(redact(signal.reason));
    throw connectionError(where, redact(thrown));
  }
  if (response.ok) return response;
  throw new ClientError("download", `${where} answered with ${response.status}`, { response });
}
