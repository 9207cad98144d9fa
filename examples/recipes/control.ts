/** Sends a request to the control interface of the service that the environment names, and returns the answer. */
export async function control<Answer>(path: string, method = "GET", body?: object): Promise<Answer> {
  const { CLOUD_BROWSER_BASE_URL: base = "http://127.0.0.1:8090", CLOUD_BROWSER_API_KEY: key } = process.env;
  const headers = { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) };
  const response = await fetch(`${base}/control${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text || "null");
}

/** A session that has just been opened. */
export interface OpenedSession {
  readonly session_id: string;
  /** Address by which Playwright, Puppeteer and others drive it. A secret. */
  readonly cdp_url: string;
}
