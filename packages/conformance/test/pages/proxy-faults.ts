/** Faults of pages and recordings that a proxy can make before any service that conforms. */
import type { PageFault } from "./page-fault.ts";
import { pageFaults } from "./page-faults.ts";
import { isForProxy } from "./twist-proxy.ts";

/** Each breaks one sentence, and nothing else. */
export const proxyFaults: readonly PageFault[] = pageFaults.filter(({ twist }) => isForProxy(twist));
