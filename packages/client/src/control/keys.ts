import type { ClientPromise } from "../calls/client-promise.ts";
import type { ControlCalls } from "./control-calls.ts";
import type { AnswerOf, ControlKey, ControlOptions, ControlSchemas, CreatedKey } from "./control-types.ts";

/** API keys beside the one that the service was started with. The caller's own needs the role `control`. */
export interface KeyControl {
  /** Lists the keys, revoked ones too; without themselves. */
  list(options?: ControlOptions): ClientPromise<AnswerOf<"list_keys">>;
  /** Creates a key; it is shown once. */
  create(request: ControlSchemas["CreateKey"], options?: ControlOptions): ClientPromise<CreatedKey>;
  /** Changes roles, quotas or expiry of a key; fields that are absent keep their values. */
  change(name: string, request: ControlSchemas["ChangeKey"], options?: ControlOptions): ClientPromise<ControlKey>;
  /** Replaces a key by a new one of the same name, which is shown once; its sessions and runs are kept. */
  rotate(
    name: string,
    request?: ControlSchemas["RotateKey"],
    options?: ControlOptions,
  ): ClientPromise<AnswerOf<"rotate_key">>;
  /** Revokes a key for good, and ends its sessions. */
  revoke(name: string, options?: ControlOptions): ClientPromise<AnswerOf<"revoke_key">>;
}

/** Returns the methods about keys. */
export function keyControl(calls: ControlCalls): KeyControl {
  return {
    list: (options = {}) =>
      calls.json<"list_keys">({
        method: "control.keys.list",
        send: (api, init) => api.GET("/control/keys", { ...init }),
        isRepeatable: true,
        options,
      }),
    create: (request, options = {}) =>
      calls.json<"create_key">({
        method: "control.keys.create",
        send: (api, init) => api.POST("/control/keys", { ...init }),
        body: request,
        isRepeatable: false,
        options,
      }),
    change: (name, request, options = {}) =>
      calls.json<"change_key">({
        method: "control.keys.change",
        send: (api, init) => api.PATCH("/control/keys/{name}", { ...init, params: { path: { name } } }),
        ids: { name },
        body: request,
        isRepeatable: false,
        options,
      }),
    rotate: (name, request = {}, options = {}) =>
      calls.json<"rotate_key">({
        method: "control.keys.rotate",
        send: (api, init) => api.POST("/control/keys/{name}/rotate", { ...init, params: { path: { name } } }),
        ids: { name },
        body: request,
        isRepeatable: false,
        options,
      }),
    revoke: (name, options = {}) =>
      calls.json<"revoke_key">({
        method: "control.keys.revoke",
        send: (api, init) => api.DELETE("/control/keys/{name}", { ...init, params: { path: { name } } }),
        ids: { name },
        isRepeatable: false,
        options,
      }),
  };
}
