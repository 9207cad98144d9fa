import type { ClientPromise } from "../calls/client-promise.ts";
import type { ControlCalls } from "./control-calls.ts";
import type {
  AnswerOf,
  ControlOptions,
  ControlProfile,
  ControlSchemas,
  ProfileState,
  QueryOf,
} from "./control-types.ts";

/** Profiles: logins and storage that sessions begin with. */
export interface ProfileControl {
  /** Lists the profiles, with their sites and no values. */
  list(query?: QueryOf<"list_profiles">, options?: ControlOptions): ClientPromise<AnswerOf<"list_profiles">>;
  /** Reads a profile, without values. */
  read(name: string, query?: QueryOf<"get_profile">, options?: ControlOptions): ClientPromise<ControlProfile>;
  /** Imports a profile: a storage state of Playwright, or the text of a cookies.txt file. */
  importState(
    request: ControlSchemas["UploadProfile"],
    options?: ControlOptions,
  ): ClientPromise<AnswerOf<"upload_profile">>;
  /** Exports the cookies and storage of a profile, as Playwright reads them. They are secrets. */
  exportState(name: string, options?: ControlOptions): ClientPromise<ProfileState>;
  /** Deletes a profile; a session that uses it continues, and writes nothing back. */
  delete(
    name: string,
    query?: QueryOf<"delete_profile">,
    options?: ControlOptions,
  ): ClientPromise<AnswerOf<"delete_profile">>;
  /** Encrypts all profiles with the newest encryption key. The caller's API key needs the role `operate`. */
  reencrypt(options?: ControlOptions): ClientPromise<AnswerOf<"reencrypt_profiles">>;
}

/** Returns the methods about profiles. */
export function profileControl(calls: ControlCalls): ProfileControl {
  return {
    list: (query = {}, options = {}) =>
      calls.json<"list_profiles">({
        method: "control.profiles.list",
        send: (api, init) => api.GET("/control/profiles", { ...init, params: { query } }),
        isRepeatable: true,
        options,
      }),
    read: (name, query = {}, options = {}) =>
      calls.json<"get_profile">({
        method: "control.profiles.read",
        send: (api, init) => api.GET("/control/profiles/{name}", { ...init, params: { path: { name }, query } }),
        ids: { name },
        isRepeatable: true,
        options,
      }),
    importState: (request, options = {}) =>
      calls.json<"upload_profile">({
        method: "control.profiles.importState",
        send: (api, init) => api.POST("/control/profiles", { ...init }),
        body: request,
        isRepeatable: false,
        options,
      }),
    exportState: (name, options = {}) =>
      calls.json<"export_profile">({
        method: "control.profiles.exportState",
        send: (api, init) => api.GET("/control/profiles/{name}/storage-state", { ...init, params: { path: { name } } }),
        ids: { name },
        isRepeatable: true,
        options,
      }),
    delete: (name, query = {}, options = {}) =>
      calls.json<"delete_profile">({
        method: "control.profiles.delete",
        send: (api, init) => api.DELETE("/control/profiles/{name}", { ...init, params: { path: { name }, query } }),
        ids: { name },
        isRepeatable: false,
        options,
      }),
    reencrypt: (options = {}) =>
      calls.json<"reencrypt_profiles">({
        method: "control.profiles.reencrypt",
        send: (api, init) => api.POST("/control/profiles/reencrypt", { ...init }),
        isRepeatable: true,
        options,
      }),
  };
}
