// conformance.config.ts
import { defineConfig } from "@cloud-browser/conformance";

export default defineConfig({
  baseUrl: "https://staging.example.com",
  apiKeyEnv: "STAGING_API_KEY",
  sessionId: "open-session",
  lacks: { "judges-keys": "Staging takes any key." },
  skip: ["level:assumed"],
  expectedFailures: "expected-failures.yaml",
});
