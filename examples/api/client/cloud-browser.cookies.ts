import { createCloudBrowser } from "@cloud-browser/client";

const { cookies } = await createCloudBrowser().cookies("9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318");
console.log(cookies.map(({ name, domain }) => `${name} of ${domain}`).join(", ")); // sid of ferries.example, …
