import type { components } from "@cloud-browser/spec/types";

/** Where the recording of a session is. Source: interface § Resources and their fields. */
export type ReplayResponse = components["schemas"]["ReplayResponse"];

/** Methods of a client that replays need: `createCloudBrowser` makes one. Source: interface § Endpoints. */
export interface ReplayClient {
  /** Tells where the recording of a session is; rejects with `ClientError`. */
  replay(sessionId: string, options?: { signal?: AbortSignal | undefined }): Promise<ReplayResponse>;
}
