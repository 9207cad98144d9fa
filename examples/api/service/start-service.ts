import { createCloudBrowser } from "@cloud-browser/client";
import { startService } from "@cloud-browser/service";

await using service = await startService({ data: "data" });
const { session_id } = await service.open();
const client = createCloudBrowser({ baseUrl: service.url, apiKey: service.apiKey });
console.log((await client.cookies(session_id)).cookies.length); // 0
