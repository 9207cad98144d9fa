import { prismTarget } from "@cloud-browser/conformance";

await using mock = await prismTarget();
const response = await fetch(`${mock.server.url}/sessions/any/cookies`, { headers: { authorization: "Bearer any" } });
console.log(response.status); // 200
