export default {
  input: "openapi.json",
  output: "hey-api",
  plugins: ["@hey-api/typescript", "@hey-api/client-fetch", "@hey-api/sdk"],
};
