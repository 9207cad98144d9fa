import { describeModelFailure } from "@cloud-browser/page-content";
import { APICallError } from "ai";

const error = new APICallError({
  message: "",
  url: "https://models.example/v1",
  requestBodyValues: {},
  statusCode: 401,
});
console.log(`The model ${describeModelFailure(error)}.`); // The model refused the API key (401).
