import { readFileSync } from "node:fs";
import { validate } from "@scalar/openapi-parser";

const { valid, errors = [] } = await validate(readFileSync(process.argv[2], "utf8"));
for (const error of errors) console.log(error.message);
process.exitCode = valid && errors.length === 0 ? 0 : 1;
