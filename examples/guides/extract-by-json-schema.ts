import { ClientError, createCloudBrowser } from "@cloud-browser/client";

interface Ticket {
  title: string;
}
const ticket = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
const isTicket = (value: unknown): value is Ticket => typeof value === "object" && value !== null && "title" in value;

const client = createCloudBrowser();
try {
  const one = await client.extract<Ticket>("s1", { response_format: ticket }); // validated against the JSON Schema
  const two = await client.extract("s1", { response_format: [ticket, isTicket] }); // validated by the type guard
  console.log(one.title, two.title);
} catch (error) {
  if (!(error instanceof ClientError) || !error.extraction) throw error;
  console.log(error.extraction.reason);
}
