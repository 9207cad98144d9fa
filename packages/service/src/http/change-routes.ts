import type { Hono } from "hono";
import { changeStream } from "../changes/change-stream.ts";
import type { Changes } from "../changes/changes.ts";
import type { Keys } from "../keys/keys.ts";
import { ServiceError } from "../service-error.ts";
import { streamHeaders } from "./automation-routes.ts";
import { readListedKey } from "./key-scope.ts";
import type { Forwarding } from "./nodes/forwarding.ts";
import type { FollowPeers } from "./nodes/peer-changes.ts";

/** Most readers of changes on one node, other nodes included. */
const maxReaders = 500;

/** Parts that the stream of changes needs. */
export interface ChangeRouteParts {
  /** Changes of this node. */
  readonly changes: Changes;
  /** Follows the other nodes. Default: there are none. */
  readonly followPeers?: FollowPeers | undefined;
  /** Says which requests are of other nodes. Default: none is. */
  readonly forwarding?: Pick<Forwarding, "isRequestFromNode"> | undefined;
}

/** How changes of sessions, runs and requests for a person are told. */
export function addChangeRoutes(
  app: Hono,
  { changes, followPeers, forwarding, keys }: ChangeRouteParts & { readonly keys: Pick<Keys, "list"> },
): void {
  let readers = 0;
  app.get("/control/changes", async (c) => {
    const scope = await readListedKey(c, keys);
    if (scope instanceof Response) return scope;
    if (changes.closed.aborted)
      throw new ServiceError("stopping", "the service stops, and nothing changes any more; ask another node");
    if (readers >= maxReaders)
      throw new ServiceError("busy", `${maxReaders} readers follow changes; read the lists, or wait for one to leave`);
    readers += 1;
    const request = c.req.raw;
    const isOwn = !forwarding?.isRequestFromNode(request.headers);
    const body = changeStream(
      {
        changes,
        key: scope.key,
        followOthers: isOwn && followPeers ? (listener, signal) => followPeers(request, listener, signal) : undefined,
      },
      () => void (readers -= 1),
    );
    return new Response(body, { headers: streamHeaders });
  });
}
