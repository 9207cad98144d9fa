import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionView } from "../src/control/session-view.ts";
import type { RunningService } from "../src/running-service.ts";
import { startService } from "../src/service.ts";
import type { ServiceOptions } from "../src/service-options.ts";
import type { SessionOptions } from "../src/sessions/session-options.ts";

/** A service in a folder of its own, and how tests talk to it. */
export interface TestService extends AsyncDisposable {
  /** The service. */
  readonly service: RunningService;
  /** Its folder. */
  readonly data: string;
  /** Sends a request with the key; a body is sent as JSON. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<Response>;
  /** Creates a session. */
  readonly open: (options?: SessionOptions) => Promise<SessionView>;
  /** Ends a session. */
  readonly end: (id: string) => Promise<SessionView>;
}

/** Starts a service whose pages may load what is on loopback, unless it is told otherwise. */
export async function startTestService(options: ServiceOptions = {}): Promise<TestService> {
  const folder = options.data;
  const data = folder ?? (await mkdtemp(join(tmpdir(), "cloud-browser-test-")));
  const service = await startService({ allow: ["127.0.0.1", "localhost"], data, ...options });
  const ask: TestService["ask"] = (method, path, body) =>
    fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${service.apiKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    service,
    data,
    ask,
    open: async (session = {}) => view(await ask("POST", "/control/sessions", session)),
    end: async (id) => view(await ask("DELETE", `/control/sessions/${id}`)),
    [Symbol.asyncDispose]: async () => {
      await service.close();
      if (folder === undefined) await rm(data, { recursive: true });
    },
  };
}

async function view(response: Response): Promise<SessionView> {
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
  return readAnswer<SessionView>(response);
}

/** The JSON of an answer, as its contract says. */
export async function readAnswer<Body>(response: Response): Promise<Body> {
  const body: unknown = await response.json();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what comes is judged by the tests that use it
  return body as Body;
}
