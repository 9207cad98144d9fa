// Lists the images of a page that belong to its content, with their type and size: node list-images-with-sizes.ts <session>
import { createCloudBrowser } from "@cloud-browser/client";

const { images } = await createCloudBrowser().scrape(process.argv[2] ?? "", { only_images: true });
for (const { url, category, description } of images) {
  if (!url || (category !== "content_image" && category !== "svg_content")) continue; // no icons, no decoration
  // The interface gives no sizes. The host is asked without the key; what is behind a login needs the cookies, too.
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  const bytes = (await response.arrayBuffer()).byteLength;
  console.log(
    `${description}: ${response.headers.get("content-type")}, ${response.ok ? `${bytes} bytes` : response.status}`,
  );
}
