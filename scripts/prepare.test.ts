import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { root } from "./child.mjs";

/**
 * Replaces `npm ci`: records each run with its arguments, fails or hangs if a marker file exists, empties node_modules,
 * and installs a Node that prints `version`.
 */
const fakeNpm = (version: string) => `
const fs = require("node:fs");
fs.appendFileSync("npm-runs", process.pid + " " + process.argv.slice(2).join(" ") + "\\n");
const finish = () => {
  fs.mkdirSync("node_modules/.bin", { recursive: true });
  fs.writeFileSync("node_modules/.bin/node", "#!/bin/sh\\necho ${version}\\n", { mode: 0o755 });
};
if (fs.existsSync("refuse")) { console.error("npm error not in sync"); process.exit(1); }
if (process.argv[2] === "ci") fs.rmSync("node_modules", { recursive: true, force: true });
if (fs.existsSync("half")) fs.mkdirSync("node_modules/half-unpacked", { recursive: true });
if (fs.existsSync("hang")) setInterval(() => fs.existsSync("hang") || (finish(), process.exit()), 10);
else finish();
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "prepare-"));
  mkdirSync(join(folder, "scripts"));
  for (const name of ["prepare.mjs", "child.mjs", "elapsed.mjs", "lock.mjs", "end-with-parent.mjs"]) {
    cpSync(join(root, "scripts", name), join(folder, "scripts", name));
  }
  write("package.json", '{ "type": "module" }');
  write("package-lock.json", lockfile("one"));
  mkdirSync(join(folder, "npm"));
  write("npm/package.json", "{}");
  write("npm/npm-cli.js", fakeNpm("v24.1.0"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lockfile = (name: string) =>
  JSON.stringify({
    name,
    packages: { "": {}, "node_modules/half-unpacked": {}, "node_modules/elsewhere": { os: ["none"] } },
  });
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "");
const npmRuns = () => read("npm-runs").split("\n").filter(Boolean);

/** `flags`: of Node. */
function begin(flags: readonly string[] = []): {
  child: ChildProcess;
  output: () => string;
  end: Promise<number | null>;
} {
  const env = { PATH: process.env.PATH, npm_execpath: join(folder, "npm", "npm-cli.js") };
  const child = spawn(process.execPath, [...flags, "scripts/prepare.mjs"], { cwd: folder, env });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return { child, output: () => text, end: once(child, "close").then(([code]) => code) };
}

async function prepare() {
  const run = begin();
  return { code: await run.end, output: run.output() };
}

/** Polls for an effect of another process, up to the test's timeout. */
async function until(holds: () => boolean) {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

function isAlive(pid: number) {
  try {
    process.kill(pid, 0);
    // A killed process is a zombie until its new parent has reaped it.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Starts a preparation whose npm hangs. */
async function hanging(flags: readonly string[] = []) {
  write("hang", "");
  const run = begin(flags);
  await until(() => npmRuns().length === 1);
  return { ...run, npm: Number(npmRuns()[0]?.split(" ")[0]) };
}

test("the first preparation installs, the next prints and does nothing", async () => {
  expect(await prepare()).toEqual({
    code: 0,
    output: expect.stringMatching(/^Installing packages: about a minute, once …\nInstalled in .* s\.\n$/),
  });
  expect(await prepare()).toEqual({ code: 0, output: "" });
  expect(npmRuns()).toEqual([expect.stringMatching(/^\d+ ci --include=dev --ignore-scripts /)]);
});

test("the preparation installs a changed lockfile with npm ci, and removes the packages of the earlier one", async () => {
  await prepare();
  mkdirSync(join(folder, "node_modules", "of-lockfile-one"));
  write("package-lock.json", lockfile("two"));
  await prepare();
  expect(npmRuns()).toHaveLength(2);
  expect(existsSync(join(folder, "node_modules", "of-lockfile-one"))).toBe(false);
  expect(await prepare()).toEqual({ code: 0, output: "" });
});

test("the preparation reinstalls an earlier lockfile after the install of a later one was killed", async () => {
  await prepare();
  write("package-lock.json", lockfile("two"));
  write("hang", "");
  const { child, end } = begin();
  await until(() => npmRuns().length === 2);
  child.kill("SIGKILL");
  await end;
  rmSync(join(folder, "hang"));
  write("package-lock.json", lockfile("one"));
  expect((await prepare()).output).toContain("Installing packages");
});

test("two concurrent preparations install once", async () => {
  const first = await hanging();
  const second = begin();
  await until(() => second.output().includes("Waiting for another preparation"));
  rmSync(join(folder, "hang"));
  expect([await first.end, await second.end]).toEqual([0, 0]);
  expect(npmRuns()).toHaveLength(1);
});

test.for(["SIGTERM", "SIGINT", "SIGKILL"] as const)(
  "%s ends the running install, and the next start repeats it from the beginning",
  async (signal) => {
    write("half", "");
    const { child, end, npm } = await hanging();
    await until(() => existsSync(join(folder, "node_modules", "half-unpacked")));
    rmSync(join(folder, "half"));
    child.kill(signal);
    await end;
    await until(() => !isAlive(npm));
    rmSync(join(folder, "hang"));
    expect((await prepare()).code).toBe(0);
    expect(npmRuns()).toHaveLength(2);
    expect(existsSync(join(folder, "node_modules", "half-unpacked"))).toBe(false);
  },
);

test("the preparation prints npm's error, keeps the installed packages, and retries at the next start", async () => {
  await prepare();
  mkdirSync(join(folder, "node_modules", "kept"));
  write("package-lock.json", lockfile("two"));
  write("refuse", "");
  expect(await prepare()).toEqual({
    code: 1,
    output: expect.stringContaining("npm error not in sync\nThe packages could"),
  });
  expect(existsSync(join(folder, "node_modules", "kept"))).toBe(true);
  rmSync(join(folder, "refuse"));
  expect((await prepare()).code).toBe(0);
});

test("the preparation uses the machine's Node if the packaged one is too old or does not run", async () => {
  write("npm/npm-cli.js", fakeNpm("v20.20.2"));
  expect((await prepare()).code).toBe(0);
  expect(existsSync(join(folder, "node_modules", ".bin", "node"))).toBe(false);
});

test("the preparation counts seconds and packages in one line of a terminal while it installs", async () => {
  const terminal = "Object.defineProperty(process.stdout, 'isTTY', { value: true })";
  const { output, end } = await hanging(["--import", `data:text/javascript,${encodeURIComponent(terminal)}`]);
  await until(() => output().includes("1 s, 0 of 1 packages"));
  rmSync(join(folder, "hang"));
  expect(await end).toBe(0);
  const lines = stripVTControlCharacters(output()).replaceAll("\r", "").split("\n");
  expect(lines).toEqual([
    "Installing packages: about a minute, once …",
    expect.stringMatching(/^ {2}1 s, 0 of 1 packages.*Installed in .* s\.$/),
    "",
  ]);
});
