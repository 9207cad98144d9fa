import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deriveClusterSecrets } from "../../src/cluster/cluster-secrets.ts";
import type { ProfileView } from "../../src/control/profiles/profile-view.ts";
import type { SessionView } from "../../src/control/session-view.ts";
import type { SessionOptions } from "../../src/sessions/session-options.ts";
import { key } from "../command-line.ts";
import { countIn, startCountingSite, type CountingSite } from "../profiles/profile-site.ts";
import { readAnswer } from "../running-service.ts";
import { askNode, startCluster, type TestCluster, type TestNode } from "./cluster.ts";

const env = { CLOUD_BROWSER_PROFILE_KEY: randomBytes(32).toString("base64") };

let site: CountingSite;
let cluster: TestCluster;
let one: TestNode;
let other: TestNode;

beforeAll(async () => {
  site = await startCountingSite();
  cluster = await startCluster(0);
  one = await cluster.add({ env });
  other = await cluster.add({ env });
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

/** Asks this very node for a session, as another one has it do that. */
function ask({ served }: TestNode, profile: SessionOptions["profile"]): Promise<Response> {
  return fetch(`${served.url}/control/sessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "x-cloud-browser-node": deriveClusterSecrets(key).credential },
    body: JSON.stringify({ url: `${site.url}/`, record: false, profile }),
  });
}

async function open(node: TestNode, profile: SessionOptions["profile"]): Promise<SessionView> {
  const answer = await ask(node, profile);
  expect([answer.status, answer.status === 201 ? "" : await answer.clone().text()]).toEqual([201, ""]);
  return readAnswer(answer);
}

const show = async (node: TestNode): Promise<ProfileView> =>
  readAnswer(await askNode(node, "GET", "/control/profiles/shop"));

/** The address that drives a session, at the node that is asked. */
const through = (session: SessionView, { served }: TestNode): SessionView => {
  const url = new URL(session.cdp_url ?? "");
  url.host = new URL(served.url).host;
  return { ...session, cdp_url: url.href };
};

test("a profile that a session of one node has written is there on another, where nobody else writes it meanwhile", async () => {
  const first = await open(one, { name: "shop" });
  const refused = await ask(other, { name: "shop" });
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining(first.session_id)]);
  expect(await show(other)).toMatchObject({ in_use_by: first.session_id });
  // Any node ends it, and tells what became of the profile.
  const ended = await readAnswer<SessionView>(await askNode(other, "DELETE", `/control/sessions/${first.session_id}`));
  expect(ended.profile).toMatchObject({ outcome: "saved" });
  const second = await open(other, { name: "shop" });
  expect(await countIn(through(second, other))).toBe(2);
  await askNode(one, "DELETE", `/control/sessions/${second.session_id}`);
  expect(await show(one)).toMatchObject({ version: 2, in_use_by: null, last_write: { outcome: "saved" } });
});

test("of sessions that ask for a profile at once on two nodes one gets it", async () => {
  const answers = await Promise.all([one, other, one, other].map((node) => ask(node, { name: "race" })));
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["201", "409", "409", "409"]);
});

test("when a node is killed its profile is free again, as it was before, and the records say that it was lost", async () => {
  const lost = await open(one, { name: "shop" });
  one.served.process.kill("SIGKILL");
  await one.served.ended;
  const claimed = async (): Promise<number> => {
    const answer = await ask(other, { name: "shop", mode: "write" });
    if (answer.status === 201) view = await readAnswer(answer);
    else await answer.body?.cancel();
    return answer.status;
  };
  let view: SessionView | undefined;
  await expect.poll(claimed, { timeout: 60_000, interval: 500 }).toBe(201);
  if (!view) throw new Error("there is no session");
  // What the session of the killed node counted is not there.
  expect(await countIn(through(view, other))).toBe(3);
  const record = await readAnswer<SessionView>(await askNode(other, "GET", `/control/sessions/${lost.session_id}`));
  expect(record.profile).toMatchObject({ outcome: "lost", why: "the session ended (host-lost)" });
  await askNode(other, "DELETE", `/control/sessions/${view.session_id}`);
  expect(await show(other)).toMatchObject({
    version: 3,
    last_write: { session_id: view.session_id, outcome: "saved" },
  });
});
