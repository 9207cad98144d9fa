import { expect, test } from "vitest";
import { capacityOf } from "../../src/cluster/capacity.ts";
import { Peers } from "../../src/cluster/peers.ts";

const session = 128 * 2 ** 20;

/** Nodes that have told this of themselves. */
function peersOf(nodes: Readonly<Record<string, object>>): Peers {
  const peers = new Peers({ ownName: "own", hostOf: () => Promise.resolve(undefined), look: () => Promise.resolve() });
  tell(peers, nodes);
  return peers;
}

function tell(peers: Peers, nodes: Readonly<Record<string, object>>): void {
  const held = Object.entries(nodes).map(([name, about]) => {
    return { name, epoch: 1, mark: "1", isOver: false, about: { url: `http://${name}`, ...about } };
  });
  peers.saw(held);
}

test.each([
  ["as many sessions as its limit allows", 5, { free: 100 * session, running: 0 }, { room: 5, load: 0 }],
  ["no more than its memory allows", 5, { free: 2.9 * session, running: 0 }, { room: 2, load: 0 }],
  ["none when its memory is used up", 5, { free: session / 2, running: 0 }, { room: 0, load: 0 }],
  ["none when its limit is passed", -1, { free: 100 * session, running: 0 }, { room: 0, load: 0 }],
  ["its load by core, in quarters", 5, { free: 100 * session, running: 2.9 }, { room: 5, load: 0.75 }],
] as const)("a node has room for %s", (_, slots, { free, running }, expected) => {
  expect(capacityOf(slots, { availableBytes: () => free, running: () => running, cores: 4 })).toEqual(expected);
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
  expect(peersOf(nodes).roomier(own)?.url).toBe(url);
});

test.each([
  ["none has more room", { a: { room: 3, load: 0 } }, { room: 3, load: 0 }],
  ["the others are full", { a: { room: 0, load: 0 } }, { room: 0, load: 0 }],
  ["the others have more load than they have more room", { a: { room: 4, load: 1 } }, { room: 3, load: 0 }],
  ["what another one tells is none", { a: { room: "9" } }, { room: 0, load: 0 }],
])("a session is created on this node when %s", (_, nodes, own) => {
  expect(peersOf(nodes).roomier(own)).toBeUndefined();
});

test("what a node is given counts until it tells anew, and a full one is not asked", () => {
  const peers = peersOf({ a: { room: 2, load: 0 }, b: { room: 1, load: 0 } });
  let seen = 0;
  peers.whenSeen(() => (seen += 1));
  const full = { room: 0, load: 0 };
  const urls = [1, 2, 3, 4].map(() => peers.roomier(full)?.url);
  expect(urls).toEqual(["http://a", "http://a", "http://b", undefined]);
  tell(peers, { a: { room: 3, load: 0 }, b: { room: 2, load: 0 } });
  expect(seen).toBe(1);
  const first = peers.roomier(full);
  expect(first?.url).toBe("http://a");
  if (first) peers.isFull(first);
  expect([peers.roomier(full)?.url, peers.roomier(full)?.url, peers.roomier(full)]).toEqual([
    "http://b",
    "http://b",
    undefined,
  ]);
});
