/** Servers that conform, each in a way of its own. */
import { plainDialect } from "./markdown-writer.ts";
import {
  always,
  inAddress,
  inAnswer,
  inCookies,
  inEachImage,
  inExtraction,
  inMarkdown,
  inPlaylist,
  onReplay,
} from "./faulty-servers/faulty-server.ts";
import type { DataSpace } from "./scrape.ts";
import { pictures } from "../../src/site/pages/pictures.ts";
import { marked, media, playlist, type Twist } from "./site-server.ts";

/** The servers, by what sets them apart. */
export const correctTwists: Readonly<Record<string, Twist>> = {
  "as the interface describes it": {},
  "with underlined headings in capitals, reference links, HTML tables, indented code, wrapped lines": {
    taste: {
      dialect: {
        ...plainDialect,
        headings: "setext",
        bullet: "*",
        links: "reference",
        tables: "html",
        code: "indented",
        wrap: 40,
      },
    },
  },
  "with HTML for headings and links, and soft hyphens in long words": {
    taste: { dialect: { ...plainDialect, headings: "html", links: "html", tables: "text", bullet: "+", odd: true } },
  },
  "with addresses as the page has them": {
    taste: { dialect: { ...plainDialect, addresses: "as written" }, imageUrl: (_, address) => address },
  },
  "without the texts of links that are left out": { taste: { dialect: { ...plainDialect, dropLinkText: true } } },
  "with a list of what the placeholders stand for": {
    taste: { placeholder: (kind, _, number) => `{{${kind.toUpperCase()}_${number}}}` },
    scrape: inMarkdown(
      (text) => `${text}\n\nlink-1: http://x.example/berths/lnkotter\n[2]: http://x.example/piers/lnkheron\n`,
      (request) => request.use_link_placeholders === true && request.scrape_links !== false && !request.selector,
    ),
  },
  "with images of the content alone, and nothing where nothing was asked for": {
    taste: { otherImages: false, nulls: false },
  },
  "with copies of the images elsewhere": { copies: ({ body }) => ({ status: 200, body }) },
  "with copies of the images elsewhere, in another coding": {
    copies: (_, count) => ({ status: 200, body: `GIF89a another coding ${count}` }),
  },
  "with copies of the images that are for its own clients": { copies: () => ({ status: 403, body: "who are you?" }) },
  "with copies of the images that nobody reaches from here": {
    taste: { imageUrl: (_, address) => `http://127.0.0.1:9/${address.length}/${address.charCodeAt(12)}.png` },
  },
  "with images that are written out": inEachImage((one) => ({ ...one, url: writeOut(one.url ?? null) })),
  "with descriptions of its own for images": inEachImage((one) => ({
    ...one,
    description: "A picture of boats, in shades of grey",
  })),
  "with images that have no address": {
    taste: { imageUrl: () => null },
    ...inEachImage((one) => ({ ...one, description: one.description ?? "A mark" })),
  },
  "with images in the Markdown when only they are asked for": inAnswer(
    ({ images }) => ({ markdown: (images ?? []).map(({ url }) => `![](${url})`).join("\n"), images: null }),
    ({ only_images: only }) => only === true,
  ),
  "with extractions that fail": inExtraction(() => ({ success: false, error: "no model is set up" })),
  "with no word of whether an extraction succeeded": inExtraction((structured) =>
    structured.data ? { data: structured.data } : structured,
  ),
  "with one browser for all sessions": { oneProfile: true },
  "with names and values of cookies alone": inCookies(({ name, value }) => ({ name, value })),
  "with more cookies than the page has set, and other fields": {
    cookies: (own) => [
      { name: "consent", value: "yes", domain: ".x.example", path: "/", httpOnly: true },
      ...own.map((one) => ({ ...one, priority: "High" })),
    ],
  },
  "with a recording that takes a while": { slowRecording: 2 },
  "with segments of fragmented MP4 behind an initialization section": {
    replay: (replay, origin) => {
      const url = (name: string): string =>
        replay.mp4_url.replace("movie.mp4", name).replace(/^.*\/files/, `${origin}/files`);
      const head = `#EXT-X-MAP:URI="${url("init.mp4")}"\n`;
      return { ...replay, playlist_content: playlist([url("frag0.m4s"), url("frag1.m4s")], "1", head) };
    },
  },
  "with a fragmented MP4 that does not tell its length": inAddress((url) => url.replace("movie.mp4", "fragmented.mp4")),
  "with a sound track in which nothing is heard": inAddress((url) => url.replace("movie.mp4", "silence.mp4")),
  "with a sound track in the segments in which nothing is heard": inPlaylist((text) =>
    text.replace("seg0.mpegts", "silence.mpegts"),
  ),
  "with segments whose time starts anew, and says so": inPlaylist((text) => {
    const [first = "", second = ""] = text.split("\n").filter((line) => line.startsWith("http"));
    return playlist([second, first]).replace(
      `#EXTINF:1.000,\n${first}`,
      `#EXT-X-DISCONTINUITY
$&`,
    );
  }),
  "with the name of the product in capitals": inAnswer((answer) => ({
    ...answer,
    structured: writeCapitals(answer.structured ?? null) ?? null,
  })),
  "with expiries in microseconds, and none of cookies that end with the browser": inCookies(
    ({ expirationDate: at, ...one }) => ({ ...one, expires: at === undefined ? -1 : Math.round(at * 1e6) }),
  ),
  "with references for letters": {
    scrape: inMarkdown(
      (text) => text.replace(/^([A-Z][^\n[\]]{200,})$/gm, (line) => line.replace("the ", "th&#101; ")),
      always,
    ),
  },
  "with downloads that lead on to a store": {
    file: (name, answer, origin, count) =>
      name.startsWith("stored-")
        ? { status: 200, body: marked(media(name.replace("stored-", "")), `file ${count}`) }
        : { ...answer, status: 302, headers: { location: `${origin}/files/stored-${name}` }, body: "" },
  },
  "with addresses that say when they expire": onReplay(({ mp4_url: url, playlist_content: text, expires_at: at }) => {
    const query = `$&&Key-Pair-Id=K7&Expires=${Math.floor(Date.parse(at) / 1000)}`;
    return { mp4_url: url.replace(/$/, query), playlist_content: text.replaceAll(/signature=.*/g, query) };
  }),
  "with lengths that are rounded": onReplay(({ playlist_content: text }) => ({
    playlist_content: text.replaceAll("1.000", "1"),
    video_duration_ms: 2600,
  })),
  "with a playlist of an event, with dates, comments and tags of its own, and its end first": inPlaylist((text) =>
    text
      .replace("#EXT-X-ENDLIST\n", "")
      .replace("VERSION:3", "VERSION:7")
      .replace(
        "#EXTINF",
        "#EXT-X-ENDLIST\n#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-STORE:a=1\n# a comment\n" +
          "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T09:30:00.120\n#EXTINF",
      )
      .replaceAll("1.000,", "1,the recording, with a comma"),
  ),
  "with a video that starts before the session, and addresses for decades": onReplay(() => ({
    video_start_ms: -40,
    expires_at: "2066-01-01T00:00:00Z",
  })),
  "with line ends of Windows in the playlist": inPlaylist((text) => text.replaceAll("\n", "\r\n")),
};

/** An image of the page as data; one without an address has none. */
function writeOut(url: string | null): string | null {
  const picture = pictures.get(url?.split("/").at(-1) ?? "");
  return picture ? `data:${picture.type};base64,${Buffer.from(picture.body).toString("base64")}` : url;
}

/** Structured data with each text of it in capitals, but for the codes of currencies, which are. */
function writeCapitals(structured: DataSpace["structured"]): DataSpace["structured"] {
  const text = JSON.stringify(structured).replace(/"name":"[^"]*"/g, (member) =>
    member.toUpperCase().replace("NAME", "name"),
  );
  return JSON.parse(text);
}
