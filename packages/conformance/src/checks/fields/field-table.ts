/** Answers that rows are about: the 200 of three operations, the 422 of all, and the events of the automation. */
export type JudgedAnswer = "scrape" | "validation-error" | "cookies" | "replay" | "event";

/**
 * Rule for one place of an answer. Types, forms and values are those that the contract names for the place.
 *
 * - `present`: it is there.
 * - `type`: if present, it is of one of the types.
 * - `type-or-null`: the same, unless it is null.
 * - `not-null`: if present, it is not null.
 * - `valid`: if it is of the right type, it has the form, or is one of the values.
 * - `not-negative`, `http-url`, `hls-playlist`: if it is of the right type, it is that, whatever the contract says.
 */
export type Rule =
  | "present"
  | "type"
  | "type-or-null"
  | "not-null"
  | "valid"
  | "not-negative"
  | "http-url"
  | "hls-playlist";

/**
 * A check as a row: its id; the place, with `/` between names and `*` for the items of an array, in events after their type; the rule; the
 * requirement that a finding names; the sentence that a pass proves; other requirements that hold when this one was seen to hold.
 */
export type FieldRow = readonly [
  id: `${JudgedAnswer}/${string}`,
  place: string,
  holds: Rule,
  requirement: string,
  title: string,
  options?: { readonly also?: readonly string[] },
];

/**
 * Every check of a single field, by the answer that has the field. A row is all that a new one needs here.
 *
 * Source: interface § Endpoints, § Resources and their fields, § Events.
 */
// prettier-ignore
export const fieldTable: Readonly<Record<JudgedAnswer, readonly FieldRow[]>> = {
  scrape: [
    ["scrape/body-type", "", "type", "scrape.response.schema", "A scrape is answered with a JSON object."],
    ["scrape/markdown-present", "markdown", "present", "scrape.response.markdown.required", "`markdown` is there."],
    ["scrape/markdown-type", "markdown", "type", "scrape.response.markdown.type", "`markdown` is a string."],
    ["scrape/images-type", "images", "type", "scrape.response.images.type", "`images` is an array or null."],
    ["scrape/image-type", "images/*", "type", "scrape.response.images.items", "Each image is an object."],
    ["scrape/image-url-type", "images/*/url", "type", "image.url.type", "`url` of an image is a string or null."],
    ["scrape/image-category-type", "images/*/category", "type", "image.category.type", "`category` of an image is a string or null."],
    ["scrape/image-category-valid", "images/*/category", "valid", "image.category.values", "`category` of an image is one of six."],
    ["scrape/image-description-type", "images/*/description", "type", "image.description.type", "`description` is a string or null."],
    ["scrape/structured-type", "structured", "type", "scrape.response.structured.type", "`structured` is an object or null."],
    ["scrape/structured-success-type", "structured/success", "type", "structured.success.type", "`success` is a boolean."],
    ["scrape/structured-error-type", "structured/error", "type", "structured.error.type", "`error` is a string or null."],
  ],
  "validation-error": [
    ["validation-error/body-type", "", "type", "scrape.422-body", "The body of a 422 is an object."],
    ["validation-error/detail-present", "detail", "present", "validation-error.detail.required", "The body of a 422 has `detail`."],
    ["validation-error/detail-type", "detail", "type", "validation-error.detail", "`detail` is an array."],
    ["validation-error/problem-type", "detail/*", "type", "validation-error.detail.items", "Each entry of `detail` is an object."],
    ["validation-error/loc-present", "detail/*/loc", "present", "validation-error.loc.required", "Each problem has `loc`."],
    ["validation-error/loc-type", "detail/*/loc", "type", "validation-error.loc", "`loc` is an array."],
    ["validation-error/loc-items-type", "detail/*/loc/*", "type", "validation-error.loc", "`loc` holds strings and integers."],
    ["validation-error/msg-present", "detail/*/msg", "present", "validation-error.msg.required", "Each problem has `msg`."],
    ["validation-error/msg-type", "detail/*/msg", "type", "validation-error.msg", "`msg` is a string."],
    ["validation-error/type-present", "detail/*/type", "present", "validation-error.type.required", "Each problem has `type`."],
    ["validation-error/type-type", "detail/*/type", "type", "validation-error.type", "`type` is a string."],
    ["validation-error/ctx-type", "detail/*/ctx", "type", "validation-error.ctx", "`ctx` is an object."],
  ],
  cookies: [
    ["cookies/body-type", "", "type", "cookies.body", "Cookies are answered with an object."],
    ["cookies/cookies-present", "cookies", "present", "cookies.body", "`cookies` is there."],
    ["cookies/cookies-type", "cookies", "type", "cookies.body", "`cookies` is an array."],
    ["cookies/cookie-type", "cookies/*", "type", "cookies.items", "Each cookie is an object."],
    ["cookies/cookie-name-type", "cookies/*/name", "type-or-null", "cookies.cookie.name.type", "`name` of a cookie is a string, where it is not null."],
    ["cookies/cookie-value-type", "cookies/*/value", "type-or-null", "cookies.cookie.value.type", "`value` of a cookie is a string, where it is not null."],
    ["cookies/cookie-domain-type", "cookies/*/domain", "type-or-null", "cookies.cookie.domain.type", "`domain` of a cookie is a string, where it is not null."],
    ["cookies/cookie-path-type", "cookies/*/path", "type-or-null", "cookies.cookie.path.type", "`path` of a cookie is a string, where it is not null."],
    ["cookies/cookie-httpOnly-type", "cookies/*/httpOnly", "type-or-null", "cookies.cookie.httpOnly.type", "`httpOnly` of a cookie is a boolean, where it is not null."],
    ["cookies/cookie-expirationDate-type", "cookies/*/expirationDate", "type-or-null", "cookies.cookie.expirationDate.type", "`expirationDate` of a cookie is a number, where it is not null."],
    ["cookies/cookie-hostOnly-type", "cookies/*/hostOnly", "type-or-null", "cookies.cookie.hostOnly.type", "`hostOnly` of a cookie is a boolean, where it is not null."],
    ["cookies/cookie-sameSite-type", "cookies/*/sameSite", "type-or-null", "cookies.cookie.sameSite.type", "`sameSite` of a cookie is a string, where it is not null."],
    ["cookies/cookie-secure-type", "cookies/*/secure", "type-or-null", "cookies.cookie.secure.type", "`secure` of a cookie is a boolean, where it is not null."],
    ["cookies/cookie-session-type", "cookies/*/session", "type-or-null", "cookies.cookie.session.type", "`session` of a cookie is a boolean, where it is not null."],
    ["cookies/cookie-storeId-type", "cookies/*/storeId", "type-or-null", "cookies.cookie.storeId.type", "`storeId` of a cookie is a string, where it is not null."],
    ["cookies/cookie-expires-type", "cookies/*/expires", "type-or-null", "cookies.cookie.expires.type", "`expires` of a cookie is a number, where it is not null."],
    ["cookies/cookie-partitionKey-type", "cookies/*/partitionKey", "type-or-null", "cookies.cookie.partitionKey.type", "`partitionKey` of a cookie is a string, where it is not null."],
  ],
  replay: [
    ["replay/body-type", "", "type", "replay.schema", "A replay is answered with an object."],
    ["replay/mp4_url-present", "mp4_url", "present", "replay.mp4_url.required", "`mp4_url` is there."],
    ["replay/mp4_url-type", "mp4_url", "type", "replay.mp4_url.type", "`mp4_url` is a string."],
    ["replay/playlist_content-present", "playlist_content", "present", "replay.playlist_content.required", "`playlist_content` is there."],
    ["replay/playlist_content-type", "playlist_content", "type", "replay.playlist_content.type", "`playlist_content` is a string."],
    ["replay/expires_at-present", "expires_at", "present", "replay.expires_at.required", "`expires_at` is there."],
    ["replay/expires_at-type", "expires_at", "type", "replay.expires_at.type", "`expires_at` is a string."],
    ["replay/video_start_ms-present", "video_start_ms", "present", "replay.video_start_ms.required", "`video_start_ms` is there."],
    ["replay/video_start_ms-type", "video_start_ms", "type", "replay.video_start_ms.type", "`video_start_ms` is an integer."],
    ["replay/video_duration_ms-present", "video_duration_ms", "present", "replay.video_duration_ms.required", "`video_duration_ms` is there."],
    ["replay/video_duration_ms-type", "video_duration_ms", "type", "replay.video_duration_ms.type", "`video_duration_ms` is an integer."],
    ["replay/mp4_url-address", "mp4_url", "http-url", "replay.mp4_url.address", "`mp4_url` is an address that can be downloaded from."],
    ["replay/playlist_content-hls", "playlist_content", "hls-playlist", "replay.playlist_content.hls", "`playlist_content` is an HLS playlist."],
  ],
  event: [
    ["event/status-status-present", "status/status", "present", "event.status.status", "`status` of `status` events is there."],
    ["event/thinking_delta-delta-present", "thinking_delta/delta", "present", "event.thinking_delta.delta", "`delta` of `thinking_delta` events is there."],
    ["event/text_delta-delta-present", "text_delta/delta", "present", "event.text_delta.delta", "`delta` of `text_delta` events is there."],
    ["event/tool_start-name-present", "tool_start/name", "present", "event.tool_start.name", "`name` of `tool_start` events is there."],
    ["event/tool_result-content-present", "tool_result/content", "present", "event.tool_result.content", "`content` of `tool_result` events is there."],
    ["event/message_complete-role-present", "message_complete/role", "present", "event.message_complete.role", "`role` of `message_complete` events is there."],
    ["event/notte_session_data-viewer_url-present", "notte_session_data/viewer_url", "present", "event.notte_session_data.viewer_url", "`viewer_url` of `notte_session_data` events is there.", { also: ["event.notte_session_data.type-exact"] }],
    ["event/function_uploaded-function_id-present", "function_uploaded/function_id", "present", "event.function_uploaded.function_id", "`function_id` of `function_uploaded` events is there.", { also: ["identifier.function-record"] }],
    ["event/function_uploaded-function_name-present", "function_uploaded/function_name", "present", "event.function_uploaded.function_name", "`function_name` of `function_uploaded` events is there.", { also: ["identifier.function-record"] }],
    ["event/function_uploaded-created_at-present", "function_uploaded/created_at", "present", "event.function_uploaded.created_at", "`created_at` of `function_uploaded` events is there.", { also: ["identifier.function-record"] }],
    ["event/done-total_cost_usd-present", "done/total_cost_usd", "present", "event.done.total_cost_usd", "`total_cost_usd` of `done` events is there.", { also: ["event.done.type", "limits.cost-reported"] }],
    ["event/done-metadata-present", "done/metadata", "present", "event.done.metadata", "`metadata` of `done` events is there."],
    ["event/error-error-present", "error/error", "present", "event.error.error", "`error` of `error` events is there."],
    ["event/error-detail-present", "error/detail", "present", "event.error.detail", "`detail` of `error` events is there."],
    ["event/timeout-reason-present", "timeout/reason", "present", "event.timeout.reason", "`reason` of `timeout` events is there."],
    ["event/timeout-detail-present", "timeout/detail", "present", "event.timeout.detail", "`detail` of `timeout` events is there."],
    ["event/cancelled-reason-present", "cancelled/reason", "present", "event.cancelled.reason", "`reason` of `cancelled` events is there."],
    ["event/function_uploaded-function_id-type", "function_uploaded/function_id", "type-or-null", "event.function_uploaded.function_id-uuid", "`function_id` is a string, where it is not null."],
    ["event/done-function_id-type", "done/function_id", "type-or-null", "event.done.function_id-string", "`function_id` is a string, where it is not null."],
    ["event/function_uploaded-function_id-not-null", "function_uploaded/function_id", "not-null", "event.function_uploaded.function_id-not-null", "`function_id` of `function_uploaded` events is not null."],
    ["event/done-function_id-not-null", "done/function_id", "not-null", "event.done.function_id-not-null", "`function_id` of `done` events is not null."],
    ["event/function_uploaded-function_id-valid", "function_uploaded/function_id", "valid", "event.function_uploaded.function_id-uuid", "`function_id` is a UUID.", { also: ["identifier.function-uuid"] }],
    ["event/done-total_cost_usd-type", "done/total_cost_usd", "type", "event.done.total_cost_usd-number", "`total_cost_usd` is a number."],
    ["event/done-function_id-valid", "done/function_id", "valid", "event.done.function_id-uuid", "`function_id` is a UUID.", { also: ["identifier.function-uuid"] }],
    ["event/done-metadata-type", "done/metadata", "type", "event.done.metadata-object", "`metadata` is an object."],
    ["event/done-thread_id-present", "done/metadata/thread_id", "present", "event.done.metadata.thread_id", "`metadata` has `thread_id`."],
    ["event/done-thread_id-type", "done/metadata/thread_id", "type", "event.done.metadata.thread_id-string", "`thread_id` is a string."],
    ["event/done-thread_id-valid", "done/metadata/thread_id", "valid", "event.done.metadata.thread_id-uuid", "`thread_id` is a UUID.", { also: ["identifier.thread-uuid"] }],
    ["event/status-status-type", "status/status", "type-or-null", "event.status.status-string", "`status` of `status` events is a string."],
    ["event/thinking_delta-delta-type", "thinking_delta/delta", "type-or-null", "event.thinking_delta.delta-string", "`delta` of `thinking_delta` events is a string."],
    ["event/text_delta-delta-type", "text_delta/delta", "type-or-null", "event.text_delta.delta-string", "`delta` of `text_delta` events is a string."],
    ["event/tool_start-name-type", "tool_start/name", "type-or-null", "event.tool_start.name-string", "`name` of `tool_start` events is a string."],
    ["event/message_complete-role-type", "message_complete/role", "type-or-null", "event.message_complete.role-string", "`role` of `message_complete` events is a string."],
    ["event/notte_session_data-viewer_url-type", "notte_session_data/viewer_url", "type-or-null", "event.notte_session_data.viewer_url-string", "`viewer_url` of `notte_session_data` events is a string."],
    ["event/function_uploaded-function_name-type", "function_uploaded/function_name", "type-or-null", "event.function_uploaded.function_name-string", "`function_name` of `function_uploaded` events is a string."],
    ["event/function_uploaded-created_at-type", "function_uploaded/created_at", "type-or-null", "event.function_uploaded.created_at-string", "`created_at` of `function_uploaded` events is a string."],
    ["event/timeout-reason-type", "timeout/reason", "type-or-null", "event.timeout.reason-string", "`reason` of `timeout` events is a string."],
    ["event/cancelled-reason-type", "cancelled/reason", "type-or-null", "event.cancelled.reason-string", "`reason` of `cancelled` events is a string."],
    ["event/done-total_cost_usd-not-negative", "done/total_cost_usd", "not-negative", "event.done.total_cost_usd-not-negative", "`total_cost_usd` is not negative."],
  ],
};
