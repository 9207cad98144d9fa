// TypeScript before 5.8 has no `require` of ES modules: a CommonJS module takes `import()`, which works everywhere.
async function main(): Promise<void> {
  const client = await import("@cloud-browser/client");
  const cookies = await import("@cloud-browser/client/cookies");
  const replay = await import("@cloud-browser/client/replay");
  const browser = client.createCloudBrowser({ apiKey: "key", baseUrl: "https://service.example" });
  const error: string = new client.ClientError("misuse", "x").code;
  const { header } = cookies.toCookieHeader([], "https://a.example/");
  const { segments } = replay.parsePlaylist("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n");
  console.log(JSON.stringify([typeof browser.scrape, error, header, segments.length]));
}
void main();
