import { startSite as serve, type Site } from "@cloud-browser/testing/site.ts";

export type { Site };

/** The pages that all clients are driven on. */
export const startSite = (): Promise<Site> =>
  serve({
    "/": `<!doctype html><html lang=en><title>Start</title><meta name=viewport content="width=device-width">
      <script>performance.mark("mark of " + location.search)</script>
      <main><h1>Start</h1><label>Name <input id=name></label>
      <button onclick="document.title = 'Hello ' + document.querySelector('#name').value">Greet</button>
      <label>File <input id=file type=file onchange="this.files[0].text().then((text) => document.title = 'File ' + text)"></label>
      <a id=save href=/file>Save</a> <a id=open href=/second target=_blank>Open</a></main>`,
    "/second": "<!doctype html><title>Second</title><h1>Second</h1>",
    "/file": (_, response) => {
      response.writeHead(200, { "content-disposition": 'attachment; filename="file.bin"' }).end("content");
    },
  });
