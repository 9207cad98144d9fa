import { liveTarget, runConformance } from "@cloud-browser/conformance";

const target = liveTarget({
  baseUrl: process.env["CLOUD_BROWSER_BASE_URL"] ?? "https://staging.example.com",
  apiKey: process.env["CLOUD_BROWSER_API_KEY"] ?? "",
  sessionId: "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318", // an open one
});
const { checks } = await runConformance(target, { only: ["cookies/json"] });
console.log(checks.map(({ id, status }) => `${id}: ${status}`).join()); // cookies/json: pass
