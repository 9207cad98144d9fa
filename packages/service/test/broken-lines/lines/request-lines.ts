import type { BrokenLine } from "../broken-line.ts";

const request = "service/src/http/scrape-request.ts";
const compiled = "const validate = ajv.compile<ScrapeRequest>(openapi.components.schemas.ScrapeRequest);";

/** The schema of a scrape request with one property as it should not be. */
const takes = (name: string, schema: string): Pick<BrokenLine, "file" | "text" | "becomes"> => ({
  file: request,
  text: compiled,
  becomes: `const { ScrapeRequest: own } = openapi.components.schemas; const validate = ajv.compile({ ...own, properties: { ...own.properties, ${name}: ${schema} } });`,
});
const orText = '{ type: ["boolean", "string"] }';
const type = (name: string): string => `scrape.request.${name}.type`;

/** What a scrape request may be, and how it is told what is wrong with it. */
export const requestLines: readonly BrokenLine[] = [
  { ...takes("selector", "{}"), requirement: type("selector") },
  { ...takes("instructions", "{}"), requirement: "scrape.422" },
  { ...takes("scrape_links", orText), requirement: type("scrape_links"), sample: true },
  { ...takes("scrape_images", orText), requirement: type("scrape_images") },
  { ...takes("only_main_content", orText), requirement: type("only_main_content") },
  { ...takes("only_images", orText), requirement: type("only_images") },
  { ...takes("use_link_placeholders", "{}"), requirement: type("use_link_placeholders") },
  { ...takes("ignored_tags", "{}"), requirement: "scrape.422" },
  { ...takes("ignored_tags", '{ type: ["array", "null"] }'), requirement: "scrape.422" },
  { ...takes("response_format", '{ type: "object" }'), requirement: type("response_format") },
  {
    file: request,
    text: compiled,
    becomes:
      "const validate = ajv.compile({ ...openapi.components.schemas.ScrapeRequest, additionalProperties: true });",
    requirement: "scrape.unknown-property-rejected",
  },
  {
    file: request,
    text: compiled,
    becomes: 'const validate = ajv.compile({ ...openapi.components.schemas.ScrapeRequest, required: ["selector"] });',
    requirement: "scrape.request.selector.optional",
  },
  {
    file: request,
    text: "ajv.compile<ScrapeRequest>(openapi.components.schemas.ScrapeRequest)",
    becomes:
      "ajv.compile<ScrapeRequest>({ ...openapi.components.schemas.ScrapeRequest, properties: { ...openapi.components.schemas.ScrapeRequest.properties, scrape_links: {} } })",
    requirement: type("scrape_links"),
  },
  { file: request, text: '["false", false],', becomes: "", requirement: "scrape.update_metadata.type" },
  {
    file: request,
    text: "if (value !== undefined) return { value };",
    becomes: "return { value: value ?? true };",
    requirement: "scrape.update_metadata.type",
  },
  {
    file: "service/src/http/json-body.ts",
    text: "if (bytes.length === 0) return",
    becomes: "if (bytes.length === 0) return { value: {} }; if (bytes.length < 0) return",
    requirement: "scrape.request.body-required",
  },
  {
    file: "service/src/http/json-body.ts",
    text: 'return { fault: { loc: ["body"], msg: `JSON decode error: ${why}`, type: "json_invalid" } };',
    becomes: "return { value: {} };",
    requirement: "scrape.request.body-is-json",
  },
  {
    file: "service/src/http/problems.ts",
    text: "return Response.json({ detail: faults }, { status: 422 });",
    becomes: "return Response.json({ detail: faults }, { status: 400 });",
    requirement: "scrape.422",
  },
  {
    file: "service/src/http/problems.ts",
    text: "return Response.json({ detail: faults }, { status: 422 });",
    becomes: "return Response.json({ errors: faults }, { status: 422 });",
    requirement: "validation-error.detail.required",
  },
  {
    file: "service/src/http/problems.ts",
    text: "return Response.json({ detail: faults }, { status: 422 });",
    becomes: "return Response.json({ detail: faults[0] }, { status: 422 });",
    requirement: "validation-error.detail",
  },
  {
    file: "service/src/http/problems.ts",
    text: "return Response.json({ detail: faults }, { status: 422 });",
    becomes: "return new Response('{', { status: 422 });",
    requirement: "scrape.422-body",
  },
  {
    file: "service/src/control/validation-faults.ts",
    text: 'msg: "Extra inputs are not permitted",',
    becomes: "",
    requirement: "validation-error.msg.required",
  },
  {
    file: "service/src/control/validation-faults.ts",
    text: 'type: "extra_forbidden"',
    becomes: "type: 422",
    requirement: "validation-error.type",
  },
  {
    file: "service/src/control/validation-faults.ts",
    text: 'const at = ["body", ...error.instancePath.split("/").slice(1).map(readStep)];',
    becomes: 'const at = ["body", error.instancePath.split("/").slice(1)];',
    requirement: "validation-error.loc",
    sample: true,
  },
  {
    file: "service/src/control/validation-faults.ts",
    text: 'ctx: { expected: types.join(" or ") },',
    becomes: 'ctx: types.join(" or "),',
    requirement: "validation-error.ctx",
  },
];
