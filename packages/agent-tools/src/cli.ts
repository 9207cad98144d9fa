#!/usr/bin/env node
import { runMcpCommand } from "./cli/run-mcp-command.ts";

// A run whose stream is still read would keep the process.
process.exit(await runMcpCommand({ name: "cloud-browser-mcp", args: process.argv.slice(2) }));
