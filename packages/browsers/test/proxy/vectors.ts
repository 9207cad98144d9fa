/** A way in which a page makes its browser send something. */
export interface Vector {
  readonly name: string;
  /** A script of the page that does it, to a host and port, with a word to know it by. */
  readonly act: (hostAndPort: string, word: string) => string;
  /** Whether the proxy is asked; otherwise the browser itself keeps it from happening. */
  readonly goesThroughProxy: boolean;
  /** What arrives where it is allowed. */
  readonly reaches: "path" | "port" | "nothing" | "what it likes";
}

const http = { goesThroughProxy: true, reaches: "path" } as const;
const tunnel = { goesThroughProxy: true, reaches: "port" } as const;
const never = { goesThroughProxy: false, reaches: "nothing" } as const;
/** The browser may take it up or not. */
const hint = { goesThroughProxy: false, reaches: "what it likes" } as const;

const element = (tag: string, attributes: string): string =>
  `void document.body.append(Object.assign(document.createElement("${tag}"), { ${attributes} }))`;

/** Gathers candidates, and connects to one, with a server for the NAT of its own. */
const peer = (server: string, candidate: string): string => `(async () => {
  const iceServers = [{ urls: ${JSON.stringify(server)}, username: "a", credential: "b" }];
  const [one, other] = [new RTCPeerConnection({ iceServers }), new RTCPeerConnection()];
  one.createDataChannel("x");
  await one.setLocalDescription();
  await other.setRemoteDescription(one.localDescription);
  await other.setLocalDescription();
  await one.setRemoteDescription(other.localDescription);
  const [address, port] = ${JSON.stringify(candidate)}.split(":");
  await one.addIceCandidate({ candidate: "candidate:1 1 udp 2113937151 " + address + " " + port + " typ host", sdpMid: "0" });
  await new Promise((resolve) => setTimeout(resolve, 700));
  one.close();
  other.close();
})()`;

export const vectors: readonly Vector[] = [
  {
    name: "fetch",
    act: (at, word) => `fetch("http://${at}/${word}", { mode: "no-cors" }).catch(() => 0).then(() => 0)`,
    ...http,
  },
  {
    name: "post",
    act: (at, word) =>
      `fetch("http://${at}/${word}", { mode: "no-cors", method: "POST", body: "x" }).catch(() => 0).then(() => 0)`,
    ...http,
  },
  {
    name: "preflight",
    act: (at, word) => `fetch("http://${at}/${word}", { method: "PUT" }).catch(() => 0).then(() => 0)`,
    ...http,
  },
  {
    name: "xhr",
    act: (at, word) => `(() => { const x = new XMLHttpRequest(); x.open("GET", "http://${at}/${word}"); x.send(); })()`,
    ...http,
  },
  { name: "image", act: (at, word) => element("img", `src: "http://${at}/${word}"`), ...http },
  { name: "script", act: (at, word) => element("script", `src: "http://${at}/${word}"`), ...http },
  {
    name: "stylesheet",
    act: (at, word) => element("link", `rel: "stylesheet", href: "http://${at}/${word}"`),
    ...http,
  },
  { name: "frame", act: (at, word) => element("iframe", `src: "http://${at}/${word}"`), ...http },
  { name: "object", act: (at, word) => element("object", `data: "http://${at}/${word}"`), ...http },
  { name: "video", act: (at, word) => element("video", `src: "http://${at}/${word}"`), ...http },
  {
    name: "font",
    act: (at, word) => `new FontFace("x", "url(http://${at}/${word})").load().catch(() => 0).then(() => 0)`,
    ...http,
  },
  { name: "prefetch", act: (at, word) => element("link", `rel: "prefetch", href: "http://${at}/${word}"`), ...http },
  { name: "preconnect", act: (at) => element("link", `rel: "preconnect", href: "https://${at}/"`), ...hint },
  { name: "beacon", act: (at, word) => `navigator.sendBeacon("http://${at}/${word}", "x")`, ...http },
  {
    name: "ping",
    act: (at, word) =>
      `(() => { const a = document.createElement("a"); a.href = "#x"; a.ping = "http://${at}/${word}"; document.body.append(a); a.click(); })()`,
    ...http,
  },
  {
    name: "events",
    act: (at, word) => `void (globalThis.source = new EventSource("http://${at}/events-${word}"))`,
    ...http,
  },
  {
    name: "popup",
    act: (at, word) => `void setTimeout((w) => w.close(), 1500, open("http://${at}/${word}"))`,
    ...http,
  },
  {
    name: "download",
    act: (at, word) =>
      `(() => { const a = document.createElement("a"); a.href = "http://${at}/file-${word}"; a.download = "x"; document.body.append(a); a.click(); })()`,
    ...http,
  },
  {
    name: "worker",
    act: (at, word) =>
      `void new Worker(URL.createObjectURL(new Blob(['fetch("http://${at}/${word}", { mode: "no-cors" })'])))`,
    ...http,
  },
  {
    name: "service worker",
    act: (at, word) => `(async () => {
      await navigator.serviceWorker.register("/sw.js");
      const { active } = await navigator.serviceWorker.ready;
      const done = new Promise((resolve) => (navigator.serviceWorker.onmessage = resolve));
      active.postMessage("http://${at}/${word}");
      await done;
    })()`,
    ...http,
  },
  { name: "web socket", act: (at) => `void (globalThis.socket = new WebSocket("ws://${at}/"))`, ...tunnel },
  { name: "secure web socket", act: (at) => `void (globalThis.socket = new WebSocket("wss://${at}/"))`, ...tunnel },
  {
    name: "https",
    act: (at) => `fetch("https://${at}/", { mode: "no-cors" }).catch(() => 0).then(() => 0)`,
    ...tunnel,
  },
  {
    name: "WebTransport",
    act: (at) => `new WebTransport("https://${at}/").ready.catch(() => 0).then(() => 0)`,
    ...never,
  },
  { name: "WebRTC over UDP", act: (at) => peer(`stun:${at}`, at), ...never },
  { name: "WebRTC over TCP", act: (at) => peer(`turn:${at}?transport=tcp`, at), ...tunnel },
];
