#!/usr/bin/env node
import { runMcpCommand } from "./cli/run-mcp-command.ts";

process.exitCode = await runMcpCommand({ name: "cloud-browser-mcp", args: process.argv.slice(2) });
