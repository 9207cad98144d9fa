// chrome-remote-interface: the protocol by hand, on a session that it attaches.
import CDP from "chrome-remote-interface";
import { has, http, isFile, isKept, run, same, site, file, until, ws } from "./steps.mjs";

let client;
let sessionId;
const send = (method, params = {}) => client.send(method, params, sessionId);
const value = async (expression) => {
  const { result } = await send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
  return result.value;
};
async function go(path = "/") {
  const loaded = new Promise((resolve) => client.once(`Page.loadEventFired.${sessionId}`, resolve));
  await send("Page.navigate", { url: `${site}${path}` });
  await loaded;
}

await run({
  connect: async () => {
    client = await CDP({ target: ws, local: true });
    const { targetInfos } = await client.send("Target.getTargets");
    const { targetId } = targetInfos.find(({ type }) => type === "page");
    ({ sessionId } = await client.send("Target.attachToTarget", { targetId, flatten: true }));
    await send("Page.enable");
  },
  "by http": async () => {
    const { hostname: host, port } = new URL(http);
    await (await CDP({ host, port, local: true })).close();
  },
  navigate: async () => {
    await go();
    same(await value("document.title"), "Start");
  },
  "click, fill": async () => {
    await value("document.querySelector('#name').focus()");
    await send("Input.insertText", { text: "Ada" });
    const { x, y } = await value(
      "(({ x, y }) => ({ x, y }))(document.querySelector('button').getBoundingClientRect())",
    );
    for (const type of ["mousePressed", "mouseReleased"]) {
      await send("Input.dispatchMouseEvent", { type, x: x + 5, y: y + 5, button: "left", clickCount: 1 });
    }
    await until(async () => (await value("document.title")) === "Hello Ada");
  },
  evaluate: async () => same(await value("1 + 1"), 2),
  screenshot: async () => isFile(Buffer.from((await send("Page.captureScreenshot")).data, "base64"), "PNG"),
  cookies: async () => {
    await send("Network.setCookie", { name: "mine", value: "1", url: site });
    const { cookies } = await send("Network.getCookies", { urls: [site] });
    same(cookies.find((cookie) => cookie.name === "mine").value, "1");
  },
  PDF: async () => isFile(Buffer.from((await send("Page.printToPDF")).data, "base64"), "%PDF"),
  emulate: async () => {
    await send("Emulation.setLocaleOverride", { locale: "de-DE" });
    same(await value("(1234.5).toLocaleString()"), "1.234,5");
    await send("Emulation.setLocaleOverride");
    same(await value("(1234.5).toLocaleString()"), "1,234.5");
  },
  upload: async () => {
    const { result } = await send("Runtime.evaluate", { expression: "document.querySelector('#file')" });
    await send("DOM.setFileInputFiles", { files: [file], objectId: result.objectId });
  },
  download: async () => {
    await client.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: "/tmp", eventsEnabled: true });
    const completed = new Promise((resolve) =>
      client.on("Browser.downloadProgress", ({ state, guid }) => state === "completed" && resolve(guid)),
    );
    await value("document.querySelector('#save').click()");
    await isKept(await completed);
  },
  trace: async () => {
    const events = [];
    client.on("event", ({ method, params }) => method === "Tracing.dataCollected" && events.push(...params.value));
    await send("Tracing.start", { categories: "-*,blink.user_timing,disabled-by-default-devtools.timeline" });
    await go("/?traced");
    const complete = new Promise((resolve) => client.once(`Tracing.tracingComplete.${sessionId}`, resolve));
    await send("Tracing.end");
    await complete;
    has(JSON.stringify(events), "mark of ?traced");
  },
  "new tab": async () => {
    const { targetId } = await client.send("Target.createTarget", { url: `${site}/second` });
    await until(async () => {
      const { targetInfo } = await client.send("Target.getTargetInfo", { targetId });
      return targetInfo.title === "Second";
    });
    await client.send("Target.closeTarget", { targetId });
  },
});
