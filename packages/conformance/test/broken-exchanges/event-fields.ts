/** The key fields of each type of event. Source: interface § Events. */
export const keyFields: Readonly<Record<string, readonly string[]>> = {
  status: ["status"],
  thinking_delta: ["delta"],
  text_delta: ["delta"],
  tool_start: ["name"],
  tool_result: ["content"],
  message_complete: ["role"],
  notte_session_data: ["viewer_url"],
  function_uploaded: ["function_id", "function_name", "created_at"],
  done: ["total_cost_usd", "metadata"],
  error: ["error", "detail"],
  timeout: ["reason", "detail"],
  cancelled: ["reason"],
};
