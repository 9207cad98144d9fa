import { isProviderRefusal } from "@cloud-browser/page-content";
import { APICallError } from "ai";

const error = new APICallError({
  message: "",
  url: "https://models.example/v1",
  requestBodyValues: {},
  statusCode: 429,
});
console.log(isProviderRefusal(error)); // true
