import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const root = new URL("../../", import.meta.url);

const LIST_LOADED = `
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  await import("./server/process/context.ts");
  await import("./server/process/app.ts");
  process.stdout.write(loaded.join("\\n"));
`;

it("the server starts without the modules of searches, pages, calculations and MCP", async () => {
  const list = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", LIST_LOADED], {
    cwd: root,
    maxBuffer: 16 * 1024 * 1024,
  });
  const loaded = list.stdout.split("\n");
  expect(loaded.filter((url) => url.endsWith("/server/tools/web-search/web-search.ts"))).toHaveLength(1);
  const onDemand = /\/server\/browsing\/|\/outbound-guard\.ts$|\/node_modules\/(?:decimal\.js|@modelcontextprotocol)\//;
  expect(loaded.filter((url) => onDemand.test(url))).toEqual([]);
  const ofMcp = loaded.filter((url) => /\/server\/mcp\/(?:client|wire)\//.test(url));
  // `sdk.ts` only contains the import of the SDK.
  expect(ofMcp.map((url) => url.split("/").at(-1))).toEqual(["mcp-connections.ts", "sdk.ts"]);
});
