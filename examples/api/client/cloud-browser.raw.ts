import { createCloudBrowser } from "@cloud-browser/client";

const { data, error, response } = await createCloudBrowser().raw.GET("/sessions/{session_id}/cookies", {
  params: { path: { session_id: "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318" } },
});
console.log(response.status, data?.cookies.length, error); // 200 2 undefined
