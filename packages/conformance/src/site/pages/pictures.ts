import { deflateSync, crc32 } from "node:zlib";
import { imageMarkers } from "./markers.ts";

/** A file of the site. */
export interface SiteFile {
  /** Media type. */
  readonly type: string;
  /** Content of the file. */
  readonly body: Uint8Array | string;
}

function chunk(type: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(typeAndData.length + 8);
  framed.writeUInt32BE(data.length, 0);
  typeAndData.copy(framed, 4);
  framed.writeUInt32BE(crc32(typeAndData), typeAndData.length + 4);
  return framed;
}

/** Returns a PNG image of one shade of grey. Source: PNG specification, third edition. */
function png(width: number, height: number, shade: number): SiteFile {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const line = Buffer.alloc(width + 1, shade);
  line[0] = 0;
  const lines = Buffer.concat(Array.from({ length: height }, () => line));
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  const parts = [signature, chunk("IHDR", header), chunk("IDAT", deflateSync(lines)), chunk("IEND", Buffer.alloc(0))];
  return { type: "image/png", body: Buffer.concat(parts) };
}

const windRose =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64"><path d="M32 2 40 32 32 62 24 32z"/></svg>';

/** Folder of the images, relative to a page. */
export const pictureFolder = "pictures";

/** Name of the picture file for each kind. */
export const pictureNames = {
  content: `${imageMarkers.content}.png`,
  "second content": `${imageMarkers["second content"]}.png`,
  decorative: `${imageMarkers.decorative}.png`,
  icon: `${imageMarkers.icon}.png`,
  favicon: `${imageMarkers.favicon}.png`,
  svg: `${imageMarkers.svg}.svg`,
} as const satisfies Record<keyof typeof imageMarkers, string>;

/** Alternative texts of the pictures that have one, each of which describes only its own picture. */
export const pictureTexts = {
  content: "Boats in front of the mole",
  "second content": "The lighthouse from the sea",
  svg: "A wind rose",
} as const satisfies Partial<Record<keyof typeof pictureNames, string>>;

/** Kinds of the pictures. */
export const pictureKinds = [
  "content",
  "second content",
  "decorative",
  "icon",
  "favicon",
  "svg",
] as const satisfies readonly (keyof typeof pictureNames)[];

/** Every picture of the site, by its name. */
export const pictures: ReadonlyMap<string, SiteFile> = new Map([
  [pictureNames.content, png(320, 200, 140)],
  [pictureNames["second content"], png(300, 220, 90)],
  [pictureNames.decorative, png(600, 4, 200)],
  [pictureNames.icon, png(16, 16, 60)],
  [pictureNames.favicon, png(32, 32, 30)],
  [pictureNames.svg, { type: "image/svg+xml", body: windRose }],
]);
