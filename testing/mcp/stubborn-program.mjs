// An MCP server over stdio that ends neither by SIGTERM nor by the end of its input. Appends its process id to the file
// of its first argument.
import { appendFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";

appendFileSync(process.argv[2] ?? "", `${process.pid}\n`);
process.on("SIGTERM", () => undefined);
setInterval(() => undefined, 60_000);

const results = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "stubborn", version: "1.0.0" },
  },
  "tools/list": { tools: [{ name: "wait", inputSchema: { type: "object" } }] },
};

for await (const line of createInterface(process.stdin)) {
  const { id, method } = JSON.parse(line);
  if (id === undefined) continue;
  const result = results[method];
  const answer = result ? { result } : { error: { code: -32601, message: "Method not found" } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
}
