import { afterAll, beforeAll, expect, test } from "vitest";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { startTestService, type TestService } from "../running-service.ts";

let service: TestService;
let site: Site;
let id: string;
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

beforeAll(async () => {
  service = await startTestService();
  site = await startSite({
    "/": (_, response) =>
      void response
        .writeHead(200, { "content-type": "text/html", "set-cookie": "who=ada; Path=/" })
        .end("<title>Page</title>"),
    "/tea.png": (request, response) => {
      const isShown = request.headers.cookie?.includes("who=ada") === true;
      response.writeHead(isShown ? 200 : 403, { "content-type": "text/html" }).end(png);
    },
    "/moved.png": (_, response) => void response.writeHead(302, { location: "/tea.png" }).end(),
    "/away.png": (_, response) => void response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
    "/page.png": "<script>alert(1)</script>",
    "/drawn.svg": (_, response) =>
      void response
        .writeHead(200, { "content-type": "image/svg+xml" })
        .end("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
    "/large.png": (_, response) => void response.end(Buffer.concat([png, Buffer.alloc(5 * 2 ** 20)])),
  });
  ({ session_id: id } = await service.open({ url: site.url }));
});
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const load = (url: string): Promise<Response> =>
  service.ask("GET", `/control/sessions/${id}/image?url=${encodeURIComponent(url)}`);

test.each(["/tea.png", "/moved.png"])(
  "an image that only its own page is shown is loaded by the session: %s",
  async (path) => {
    const answer = await load(site.url + path);
    expect([answer.status, Buffer.from(await answer.arrayBuffer())]).toEqual([200, png]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
  },
);

test.each([
  ["/page.png", 404, "no PNG"],
  ["/drawn.svg", 404, "no PNG"],
  ["/large.png", 404, "larger than"],
  ["/missing.png", 404, "can't be shown"],
  ["/away.png", 404, "can't be loaded"],
  ["http://169.254.169.254/latest", 404, "can't be loaded"],
  ["file:///etc/passwd", 422, "http or https"],
  ["data:image/png;base64,AA==", 422, "http or https"],
  ["", 422, "http or https"],
])("what is no image of the network, or may not be asked for, is refused: %s", async (url, status, why) => {
  const answer = await load(url.startsWith("/") ? site.url + url : url);
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(why)]);
});
