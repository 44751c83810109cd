import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { parseConfig, variableNames } from "../../../server/config/config.ts";
import { root } from "../../child.mjs";

const folder = join(root, "deploy", "systemd");
const unitText = readFileSync(join(folder, "parley.service"), "utf8");
const unit = settingsOf(unitText);
const instanceText = readFileSync(join(folder, "parley@.service.d", "instance.conf"), "utf8");
const instance = settingsOf(instanceText);
/** The instance settings with the optional ones uncommented. */
const wholeInstance = settingsOf(instanceText.replaceAll(/^#(?=\w+=)/gm, ""));

/** Returns the values of each setting of a unit in order, by `Section.Name`. */
function settingsOf(text: string): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  let section = "";
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [, name = "", value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (/^\[\w+\]$/.test(line)) section = line.slice(1, -1);
    else if (section === "" || name === "") throw new Error(`Not a line of a unit: ${line}`);
    else settings.set(`${section}.${name}`, [...(settings.get(`${section}.${name}`) ?? []), value]);
  }
  return settings;
}

const one = (name: string, of = unit) => of.get(name)?.at(-1) ?? "";
const environmentOf = (of: Map<string, string[]>): Record<string, string> =>
  Object.fromEntries((of.get("Service.Environment") ?? []).map((pair) => pair.split("=", 2)));

test("the service runs the command of npm start", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const [program, ...args] = one("Service.ExecStart").split(" ");
  expect(program).toBe(`${one("Service.WorkingDirectory")}/node_modules/.bin/node`);
  expect(["exec", "node", ...args].join(" ")).toBe(scripts.start);
});

test("the service has time for an orderly shutdown, and restarts after a failure", () => {
  const { shutdownGraceMs } = parseConfig({}).config;
  expect(Number(one("Service.TimeoutStopSec")) * 1000).toBeGreaterThan(2 * shutdownGraceMs);
  expect(one("Service.KillMode")).toBe("mixed");
  expect(one("Service.Restart")).toBe("on-failure");
});

test("the service restarts while PostgreSQL is unavailable, but not after an invalid setting", () => {
  expect(one("Unit.StartLimitIntervalSec")).toBe("0");
  expect(Number(one("Service.RestartSec"))).toBeGreaterThanOrEqual(5);
  const main = join(root, "server", "main.ts");
  const { status, stderr } = spawnSync(process.execPath, [main], { env: { PORT: "x" }, encoding: "utf8" });
  expect(stderr).toContain("PORT must be");
  expect(one("Service.RestartPreventExitStatus")).toBe(String(status));
});

test("the service writes to its own folder only, as its own user, with secrets from a file", () => {
  expect(environmentOf(unit).DATA_DIR).toBe(`/var/lib/${one("Service.StateDirectory")}`);
  expect(one("Service.ProtectSystem")).toBe("strict");
  expect(one("Service.User")).toBe("parley");
  expect(one("Service.CapabilityBoundingSet")).toBe("");
  expect(one("Service.NoNewPrivileges")).toBe("yes");
  expect(one("Service.EnvironmentFile")).toMatch(/^\/etc\//);
  // With this setting V8 could not compile.
  expect(unit.has("Service.MemoryDenyWriteExecute")).toBe(false);
});

test("each of several processes has its own port and folder", () => {
  const settings = environmentOf(instance);
  expect(settings.PORT).toBe("%i");
  expect(instance.get("Service.StateDirectory")).toEqual(["", "parley-%i"]);
  expect(settings.DATA_DIR).toBe(`/var/lib/${one("Service.StateDirectory", instance)}`);
});

test("settings of a single process must not be in the shared file, which would override them", () => {
  const own = environmentOf(wholeInstance);
  expect(Object.keys(own).sort()).toEqual(["DATA_DIR", "METRICS_PORT", "PORT"]);
  const deployment = readFileSync(join(root, "docs", "deployment.md"), "utf8");
  const [, warned = ""] = /^`\/etc\/parley\.env` must not set (.*?) then/m.exec(deployment) ?? [];
  expect([...warned.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual(Object.keys(own).sort());
  const of = (port: string) =>
    parseConfig(Object.fromEntries(Object.entries(own).map(([name, value]) => [name, value.replaceAll("%i", port)])));
  const ports = ["3001", "3002"].flatMap((port) => [of(port).config.port, of(port).config.metrics?.port]);
  expect(ports).toEqual([3001, 13001, 3002, 13002]);
});

test("the service sets only variables that Parley reads", () => {
  const { NODE_ENV, ...settings } = environmentOf(unit);
  expect(NODE_ENV).toBe("production");
  for (const name of [...Object.keys(settings), ...Object.keys(environmentOf(instance))]) {
    expect(variableNames).toContain(name);
  }
});

// Runs only if systemd is installed; the checks above run everywhere.
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
test.skipIf(!hasSystemd)("systemd finds nothing wrong with the units", () => {
  const units = mkdtempSync(join(tmpdir(), "parley-units-"));
  try {
    cpSync(folder, units, { recursive: true });
    // systemd checks that the program exists, which is not installed here.
    const program = one("Service.ExecStart").split(" ")[0] ?? "";
    const withNode = unitText.replaceAll(program, process.execPath);
    for (const name of ["parley.service", "parley@.service"]) writeFileSync(join(units, name), withNode);
    for (const name of ["parley.service", "parley@3001.service"]) {
      const { stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", join(units, name)], {
        encoding: "utf8",
      });
      const about = (stdout + stderr).split("\n").filter((line) => line.includes("parley"));
      expect(about).toEqual([]);
    }
  } finally {
    rmSync(units, { recursive: true });
  }
});

test("the documented administration command runs like the service", () => {
  const deployment = readFileSync(join(root, "docs", "deployment.md"), "utf8");
  const [block = ""] = /^systemd-run (?:.*\\\n)*.*/m.exec(deployment) ?? [];
  const [program = ""] = one("Service.ExecStart").split(" ");
  const words = block.split(/[\s\\]+/);
  expect(words).toEqual(expect.arrayContaining([program, "build/server/admin.js"]));
  expect(words).toContain(`--uid=${one("Service.User")}`);
  expect(words).toContain(`--property=EnvironmentFile=${one("Service.EnvironmentFile")}`);
  expect(words).toContain(`--setenv=DATA_DIR=${environmentOf(unit).DATA_DIR}`);
  expect(words).toContain(`--working-directory=${one("Service.WorkingDirectory")}`);
});

test("files of the repository that the unit mentions exist", () => {
  const files = unitText.match(/\/opt\/parley\/docs\/[\w./-]+/g) ?? [];
  expect(files).not.toEqual([]);
  for (const file of files) expect(existsSync(file.replace("/opt/parley", root)), file).toBe(true);
});
