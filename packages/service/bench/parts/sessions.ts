import { startTestService } from "../../test/running-service.ts";
import type { Figure } from "../measuring/figure.ts";
import { ProcessTree } from "@cloud-browser/testing/process-tree.ts";
import { startSite } from "../pages/site.ts";

const warmUps = 3;
/** As many as are open at a time for their memory. */
const together = 12;

/** How long it takes to create a session while a browser is warm, and what memory many of them take. */
export async function measureSessions(count = 30): Promise<Figure[]> {
  await using site = await startSite();
  await using running = await startTestService({ limits: { count: together + 1 } });
  const { open, end } = running;
  const [bareMs, pageMs]: [number[], number[]] = [[], []];
  for (let index = 0; index < count + warmUps; index += 1) {
    for (const [values, options] of [
      [bareMs, {}],
      [pageMs, { url: `${site.url}/page-${index % 50}` }],
    ] as const) {
      const from = performance.now();
      const { session_id: id } = await open(options);
      if (index >= warmUps) values.push(performance.now() - from);
      await end(id);
    }
  }
  const tree = new ProcessTree();
  const before = tree.memory();
  const ids: string[] = [];
  for (let index = 0; index < together; index += 1) {
    ids.push((await open({ url: `${site.url}/page-${index}` })).session_id);
  }
  const { all, children } = tree.memory();
  await Promise.all(ids.map((id) => end(id)));
  const megabytes = (bytes: number): number => bytes / 1e6 / together;
  return [
    { name: "session created, browser warm", unit: "ms", goal: 100, values: bareMs },
    { name: "the same with its first page loaded", unit: "ms", values: pageMs },
    {
      name: `memory (PSS) per session, ${together} with pages, beyond the idle service`,
      unit: "MB",
      goal: 60,
      values: [megabytes(all - before.all)],
    },
    { name: "the same with all of the browsers, shared parts included", unit: "MB", values: [megabytes(children)] },
  ];
}
