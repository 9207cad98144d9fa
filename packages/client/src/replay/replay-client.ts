import type { components } from "@cloud-browser/spec/types";

/** Locations of the recording of a session. Source: interface § Resources and their fields. */
export type ReplayResponse = components["schemas"]["ReplayResponse"];

/** The part of a client that downloads use; see `createCloudBrowser`. Source: interface § Endpoints. */
export interface ReplayClient {
  /** Fetches the locations of the recording of a session; rejects with `ClientError`. */
  replay(sessionId: string, options?: { signal?: AbortSignal | undefined }): Promise<ReplayResponse>;
}
