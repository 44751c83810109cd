import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, onTestFinished, test } from "vitest";
import { cleanEnv, root } from "../child.mjs";
import { REMARKS_FILE, type Remarks } from "./remarks-reporter.ts";

const SUITE = `
import { expect, test } from "vitest";
let tries = 0;
test("passes at its second try", { retry: 1 }, () => expect(++tries).toBe(2));
test("prints a line", () => console.warn("a line of a test"));
test("passes in silence", () => {});
`;

test("reports tests that passed on a retry, and tests that printed", () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-remarks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "suite.test.js"), SUITE);
  const remarks = join(folder, "remarks.json");
  const reporter = join(root, "scripts", "test", "remarks-reporter.ts");
  const args = ["run", "--root", folder, `--reporter=${reporter}`];
  const { status } = spawnSync(process.execPath, [join(root, "node_modules", "vitest", "vitest.mjs"), ...args], {
    env: cleanEnv({ [REMARKS_FILE]: remarks, VITEST: undefined, VITEST_WORKER_ID: undefined }),
  });
  const { retried, printed }: Remarks = JSON.parse(readFileSync(remarks, "utf8"));
  expect(status).toBe(0);
  expect(retried).toEqual([
    { title: "suite.test.js: passes at its second try", error: expect.stringContaining("expected 1 to be 2") },
  ]);
  expect(printed).toEqual([{ title: "suite.test.js: prints a line", text: "a line of a test" }]);
});
