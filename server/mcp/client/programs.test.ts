import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { toolListSchema } from "#contract/conversation/tools.ts";
import { API_BASE } from "#contract/http.ts";
import { signUp } from "../../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp, type TestHarness } from "../../../testing/app/start-test-app.ts";
import { SourceProcess } from "../../../testing/servers/source-process.ts";

const program = fileURLToPath(new URL("../../../testing/mcp/stubborn-program.mjs", import.meta.url));

it("a shutdown ends the programs beside Parley before its own exit, also one that ignores SIGTERM", async () => {
  await using harness = await createTestHarness(undefined, { isMigrated: true });
  const { dataDir, env } = harness;
  const [pidFile, file] = [join(dataDir, "pids"), join(dataDir, "mcp.json")];
  const command = [process.execPath, program, pidFile];
  await writeFile(file, JSON.stringify({ servers: [{ name: "Stubborn", slug: "stubborn", command }] }));
  const settings = { ...env, DATA_DIR: dataDir, MCP_FILE: file, SECRET_KEY: "kDq0mB1xE7pQ4vY9sT2wR6uZ3nL8aC5f" };
  const token = await tokenOfAccount(harness, settings);
  await using server = new SourceProcess(settings);
  await server.start();
  const response = await fetch(`${server.url}${API_BASE}${conversationPaths.tools}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { groups } = toolListSchema.parse(await response.json());
  expect(groups.find(({ slug }) => slug === "stubborn")?.server?.tools).toMatchObject([{ name: "wait" }]);
  expect(await server.end("SIGTERM")).toBe(0);
  const pids = (await readFile(pidFile, "utf8")).trim().split("\n").map(Number);
  expect([pids.length > 0, pids.filter(isRunning)]).toEqual([true, []]);
});

async function tokenOfAccount(harness: TestHarness, env: Record<string, string>): Promise<string> {
  await using app = await startTestApp({ harness, env });
  return (await signUp(app)).token;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
