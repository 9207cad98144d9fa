import { expect, test } from "vitest";
import { readCapacity } from "../../src/cluster/capacity.ts";
import { Peers } from "../../src/cluster/peers.ts";

const session = 128 * 2 ** 20;

/** Nodes that have told this of themselves. */
function createPeers(nodes: Readonly<Record<string, object>>): Peers {
  const peers = new Peers({
    ownName: "own",
    findHost: () => Promise.resolve(undefined),
    readLeases: () => Promise.resolve(),
  });
  tell(peers, nodes);
  return peers;
}

let renewals = 0;

/** Leases are seen that were renewed since, or not. */
function tell(peers: Peers, nodes: Readonly<Record<string, object>>, isRenewed = true): void {
  if (isRenewed) renewals += 1;
  const held = Object.entries(nodes).map(([name, about]) => {
    return { name, epoch: 1, mark: String(renewals), isOver: false, about: { url: `http://${name}`, ...about } };
  });
  peers.update(held);
}

test.each([
  ["as many sessions as its limit allows", 5, { free: 100 * session, running: 0 }, { room: 5, load: 0 }],
  ["no more than its memory allows", 5, { free: 2.9 * session, running: 0 }, { room: 2, load: 0 }],
  ["none when its memory is used up", 5, { free: session / 2, running: 0 }, { room: 0, load: 0 }],
  ["none when its limit is passed", -1, { free: 100 * session, running: 0 }, { room: 0, load: 0 }],
  ["its load by core, in quarters", 5, { free: 100 * session, running: 2.9 }, { room: 5, load: 0.75 }],
] as const)("a node has room for %s", (_, slots, { free, running }, expected) => {
  expect(readCapacity(slots, { availableBytes: () => free, running: () => running, cores: 4 })).toEqual(expected);
});

test.each([
  ["with the most room", { a: { room: 2, load: 0 }, b: { room: 5, load: 0 } }, { room: 1, load: 0 }, "http://b"],
  ["with the lower load", { a: { room: 5, load: 2 }, b: { room: 4, load: 0 } }, { room: 1, load: 0 }, "http://b"],
  [
    "that is loaded, but not full",
    { a: { room: 1, load: 9 }, b: { room: 0, load: 0 } },
    { room: 0, load: 0 },
    "http://a",
  ],
  ["that tells no load", { a: { room: 2 }, own: { room: 9, load: 0 } }, { room: 1, load: 0 }, "http://a"],
])("a session is created on the node %s", (_, nodes, own, url) => {
  expect(createPeers(nodes).findPeerWithMoreRoom(own)?.url).toBe(url);
});

test.each([
  ["none has more room", { a: { room: 3, load: 0 } }, { room: 3, load: 0 }],
  ["the others are full", { a: { room: 0, load: 0 } }, { room: 0, load: 0 }],
  ["the others have more load than they have more room", { a: { room: 4, load: 1 } }, { room: 3, load: 0 }],
  ["what another one tells is none", { a: { room: "9" } }, { room: 0, load: 0 }],
])("a session is created on this node when %s", (_, nodes, own) => {
  expect(createPeers(nodes).findPeerWithMoreRoom(own)).toBeUndefined();
});

const full = { room: 0, load: 0 };

/** The nodes that are chosen one after the other. */
const chosen = (peers: Peers, count: number): readonly (string | undefined)[] =>
  Array.from({ length: count }, () => peers.findPeerWithMoreRoom(full)?.url);

test("sessions placed on a node count until its next report, and a full node is not asked", () => {
  const nodes = { a: { room: 3, load: 0 }, b: { room: 1, load: 0 } };
  const peers = createPeers(nodes);
  let updates = 0;
  peers.onUpdate(() => (updates += 1));
  expect(chosen(peers, 2)).toEqual(["http://a", "http://a"]);
  // This is what was known already.
  tell(peers, nodes, false);
  expect(new Set(chosen(peers, 2))).toEqual(new Set(["http://a", "http://b"]));
  expect([updates, peers.haveRoom]).toEqual([1, true]);
  // It may be that what they told did not count that yet.
  expect(chosen(peers, 1)).toEqual(["http://a"]);
  for (let times = 0; times < 2; times += 1) {
    const peer = peers.findPeerWithMoreRoom(full);
    if (peer) peers.markFull(peer);
  }
  expect([...chosen(peers, 1), peers.haveRoom]).toEqual([undefined, false]);
  tell(peers, { a: { room: 4, load: 0 }, b: { room: 2, load: 0 } });
  tell(peers, { a: { room: 4, load: 0 }, b: { room: 2, load: 0 } });
  expect(chosen(peers, 3)).toEqual(["http://a", "http://a", expect.any(String)]);
});

test("sessions placed after the last reading may be missing from the next report", () => {
  const peers = createPeers({ a: { room: 4, load: 0 }, b: { room: 3, load: 0 } });
  expect(chosen(peers, 1)).toEqual(["http://a"]);
  tell(peers, { a: { room: 4, load: 0 }, b: { room: 3.5, load: 0 } });
  expect(chosen(peers, 1)).toEqual(["http://b"]);
});

test("a hundred sessions created at once through ten nodes are spread evenly", () => {
  const names = ["a", "b", "c", "d", "e"];
  const nodes = Object.fromEntries(names.map((name) => [name, { room: 40, load: 0 }]));
  const entries = Array.from({ length: 10 }, () => createPeers(nodes));
  const counts = new Map<string | undefined, number>();
  for (let times = 0; times < 10; times += 1) {
    for (const peers of entries) {
      const [url] = chosen(peers, 1);
      counts.set(url, (counts.get(url) ?? 0) + 1);
    }
    for (const peers of entries) tell(peers, nodes, false);
  }
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(100);
  for (const name of names) expect(counts.get(`http://${name}`)).toBe(20);
});
