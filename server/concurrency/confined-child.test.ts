import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startConfined } from "./confined-child.ts";

/** Tries what code could do that a document has smuggled in, and sends what has become of each. */
const PROBE = `
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
const attempts = {
  reads: () => readFileSync(process.argv[1].replace("probe.mjs", "secret-key")),
  reads_system: () => readFileSync("/etc/passwd"),
  writes: () => writeFileSync(process.argv[1].replace("probe.mjs", "written"), "x"),
  starts: () => execFileSync(process.execPath, ["--version"]),
  evaluates: () => new Function("return 1")(),
  allocates: () => new Uint8Array(1_500_000_000).fill(1).length,
};
const outcomes = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    attempt();
    outcomes[name] = "done";
  } catch (error) {
    outcomes[name] = error.code ?? error.name;
  }
}
process.send({ outcomes, environment: Object.keys(process.env).filter((name) => !name.startsWith("NODE_CHANNEL")) });
process.on("message", () => process.exit());
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-probe-"));
  await writeFile(join(folder, "probe.mjs"), PROBE);
  await writeFile(join(folder, "secret-key"), "secret");
});
afterAll(() => rm(folder, { recursive: true }));

it("M4 code in the process of documents reads no file, writes none, starts no process, and has no environment", async () => {
  const child = startConfined(pathToFileURL(join(folder, "probe.mjs")), { maxHeapMb: 64, maxMemoryMb: 128 });
  const [{ outcomes, environment }] = await once(child, "message");
  expect(getPriority(child.pid)).toBeGreaterThan(0);
  child.send("end");
  await once(child, "exit");
  expect(outcomes).toMatchObject({
    reads: "ERR_ACCESS_DENIED",
    reads_system: "ERR_ACCESS_DENIED",
    writes: "ERR_ACCESS_DENIED",
    starts: "ERR_ACCESS_DENIED",
    evaluates: "EvalError",
  });
  // A shell may add where it runs.
  expect(environment.filter((name: string) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name))).toEqual([]);
});

it.skipIf(process.platform !== "linux")(
  "M4 the kernel refuses memory to the process of documents at once",
  async () => {
    const child = startConfined(pathToFileURL(join(folder, "probe.mjs")), { maxHeapMb: 64, maxMemoryMb: 128 });
    const [{ outcomes }] = await once(child, "message");
    child.send("end");
    await once(child, "exit");
    expect(outcomes.allocates).toBe("RangeError");
  },
);
