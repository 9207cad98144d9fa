// Calls a service through the proxy that HTTPS_PROXY or HTTP_PROXY name, but for hosts of NO_PROXY: node go-through-a-proxy.ts <session>
import { createCloudBrowser } from "@cloud-browser/client";
import { EnvHttpProxyAgent, fetch as undiciFetch } from "undici";

const dispatcher = new EnvHttpProxyAgent();
const client = createCloudBrowser({
  fetch: (request, init) => undiciFetch(request.toString(), { ...init, dispatcher }),
});
const { cookies } = await client.cookies(process.argv[2] ?? "");
console.log(`${cookies.length} cookies, through the proxy`);
await dispatcher.close();
