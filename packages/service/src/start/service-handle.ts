import { FunctionWorker } from "@cloud-browser/automation";
import type { ClusterNode } from "../cluster/cluster-node.ts";
import { checkSessionOptions } from "../control/create-request.ts";
import type { SessionUrls } from "../control/session-tokens.ts";
import { unknownFunction } from "../http/function-routes.ts";
import type { Forwarding } from "../http/nodes/forwarding.ts";
import { buildAutomationPath } from "../http/own-words.ts";
import type { OpenSession, RunningService } from "../running-service.ts";
import { convertErrors, ServiceError } from "../service-error.ts";
import { chooseWait } from "../sessions/queue/queue-limits.ts";
import type { SessionOptions } from "../sessions/session-options.ts";
import type { Storage } from "./open-storage.ts";
import type { ServiceSettings } from "./read-settings.ts";
import type { StartedAutomation } from "./start-automation.ts";
import type { StartedSessions } from "./start-sessions.ts";

/** Parts of a service that its program uses. */
export interface HandleParts {
  /** Options of the service. */
  readonly settings: ServiceSettings;
  /** Address of the service. */
  readonly url: string;
  /** The API key. A secret. */
  readonly apiKey: string;
  /** Addresses of sessions. */
  readonly urls: SessionUrls;
  /** Sessions and browsers. */
  readonly sessionParts: StartedSessions;
  /** Runs. */
  readonly automation: Pick<StartedAutomation, "runs">;
  /** Functions. */
  readonly storage: Pick<Storage, "records">;
  /** The node; undefined outside of a cluster. */
  readonly node: Pick<ClusterNode, "giveUp"> | undefined;
  /** The way to the sessions of other nodes; undefined outside of a cluster. */
  readonly forwarding: Pick<Forwarding, "end"> | undefined;
  /** Stops the service. */
  readonly close: () => Promise<void>;
}

/** Returns what the program that has started a service does with it, without HTTP. */
export function createHandle(parts: HandleParts): RunningService {
  const { settings, url, apiKey, sessionParts, node, forwarding, close } = parts;
  const { browsers, sessions, endAll } = sessionParts;
  return {
    url,
    automationUrl: url + buildAutomationPath(settings.words),
    apiKey,
    keyOrigin: settings.apiKey === undefined ? "made" : "given",
    parts: browsers.description,
    open: (options) => openSession(parts, options),
    end: (id) => convertErrors(forwarding?.end(id, apiKey) ?? sessions.end(id, null).then(() => undefined)),
    runFunction: (id, variables = {}) => runFunction(parts, id, variables),
    abandon: async () => {
      await endAll("service-died");
      await node?.giveUp();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function openSession(
  { settings, sessionParts, urls }: HandleParts,
  options?: SessionOptions,
): Promise<OpenSession> {
  const valid = checkSessionOptions(options);
  const waitMs = chooseWait(valid, settings.queueLimits);
  const { id } = await convertErrors(sessionParts.sessions.create(valid, { waitMs }));
  return { session_id: id, cdp_url: urls.cdpUrl(id) };
}

async function runFunction(
  { settings, storage, automation }: HandleParts,
  id: string,
  variables: Readonly<Record<string, string>>,
): ReturnType<RunningService["runFunction"]> {
  const { functions } = storage.records;
  const record = await functions.get(id, null);
  if (!record) throw new ServiceError("usage", unknownFunction);
  const { model } = settings;
  const worker = new FunctionWorker(record, variables, { model, keep: (healed) => functions.replace(healed) });
  const { body, ended } = await automation.runs.start({ worker, task: record.query, makesFunction: false });
  await body?.pipeTo(new WritableStream());
  const end = await ended;
  if (end instanceof ServiceError) throw end;
  return end;
}
