import { buffer } from "node:stream/consumers";
import type { IncomingMessage, ServerResponse } from "node:http";
import { listen, type LocalServer } from "./listen.ts";

/** A site on loopback: pages that link to each other, photos, a login, a file to fetch, and a form that takes one. */
export function startHarbour(): Promise<LocalServer> {
  return listen(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://harbour");
    const photo = photos[pathname];
    if (photo) return response.writeHead(200, { "content-type": "image/svg+xml" }).end(photo);
    if (pathname === "/timetable.csv") return sendTimetable(response);
    if (pathname === "/login" && request.method === "POST") return logIn(request, response);
    if (pathname === "/upload" && request.method === "POST") return takeUpload(request, response);
    if (pathname === "/account" && !request.headers.cookie?.includes("member=m3")) {
      return response.writeHead(303, { location: "/login" }).end();
    }
    const page = pages[pathname];
    response.writeHead(page ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
    return response.end(`<!doctype html><title>Harbour</title><main>${page ?? "<h1>Not here</h1>"}</main>`);
  });
}

const draw = (title: string, size: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><title>${title}</title><!--${"~".repeat(size)}--></svg>`;

const photos: Record<string, string> = { "/pier.svg": draw("Pier", 800), "/boat.svg": draw("Boat", 2_000) };

const pages: Record<string, string> = {
  "/": `<h1>Harbour</h1><p>Ferries leave from <a href="/piers/1">pier 1</a> and <a href="/piers/2">pier 2</a>.</p>
<p>The <a href="/timetable.csv" download="timetable.csv">timetable</a> is a file.</p>
<img src="/pier.svg" width="400" height="300" alt="Pier 1 at low tide"><img src="/boat.svg" width="400" height="300" alt="The morning boat">`,
  "/piers/1": "<h1>Pier 1</h1><p>To the island, every hour.</p>",
  "/piers/2": "<h1>Pier 2</h1><p>To the town, every half hour.</p>",
  "/login": `<h1>Log in</h1><form method="post"><label>Name <input name="name"></label>
<label>Password <input type="password" name="password"></label><button>Log in</button></form>`,
  "/account": "<h1>Account of Ada</h1><p>Your season ticket is valid until October.</p>",
  "/upload": `<h1>Lost property</h1><form method="post" enctype="multipart/form-data"><label>Photo <input type="file" name="photo"></label>
<button>Send</button></form>`,
};

function sendTimetable(response: ServerResponse): void {
  const headers = { "content-type": "text/csv", "content-disposition": 'attachment; filename="timetable.csv"' };
  response.writeHead(200, headers).end("pier,leaves\n1,14:20\n2,14:35\n");
}

async function logIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams((await buffer(request)).toString());
  const isMember = form.get("name") === "ada" && form.get("password") === "enchantress";
  const headers = isMember
    ? { location: "/account", "set-cookie": "member=m3; Path=/; HttpOnly; Max-Age=86400" }
    : { location: "/login" };
  response.writeHead(303, headers).end();
}

async function takeUpload(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = await new Response(new Uint8Array(await buffer(request)), {
    headers: { "content-type": request.headers["content-type"] ?? "" },
  }).formData();
  const photo = form.get("photo");
  const description = photo instanceof File ? `${photo.name}, ${photo.size} bytes` : "nothing";
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(`<!doctype html><title>Harbour</title><main><h1>Thank you</h1><p>Received: ${description}</p></main>`);
}
