import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { RawClient, startRelayed, readTargetId, type Relayed } from "./relayed-session.ts";

const ticking =
  "<title>Ticks</title><textarea id=text></textarea><script>ticks = 0; setInterval(() => ticks++, 10)</script>";

/** Two relayed sessions on pages that count, and a raw client that is attached to the own one. */
export interface TickingPages extends AsyncDisposable {
  readonly relayed: Relayed;
  /** Serves the page at `/` and `/more`. */
  readonly site: Site;
  readonly client: RawClient;
  /** CDP session of the client on its own page. */
  readonly session: string;
  readonly ownTarget: string;
  readonly foreignTarget: string;
}

export async function startTickingPages(): Promise<TickingPages> {
  const [relayed, site] = await Promise.all([startRelayed(), startSite({ "/": ticking, "/more": ticking })]);
  for (const { context } of [relayed.own, relayed.foreign]) await (await context.newPage()).goto(site.url);
  const [ownTarget, foreignTarget] = [await readTargetId(relayed.own), await readTargetId(relayed.foreign)];
  const client = await RawClient.open(relayed.url());
  const session = await client.attach(ownTarget);
  return {
    relayed,
    site,
    client,
    session,
    ownTarget,
    foreignTarget,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await relayed[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}
