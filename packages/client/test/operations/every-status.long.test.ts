import { test } from "vitest";
import { seeOneRequestEach } from "./one-request.ts";

test("one request per run, for every status, whatever its headers suggest", async () => {
  await seeOneRequestEach(Array.from({ length: 400 }, (_, at) => 200 + at));
});
