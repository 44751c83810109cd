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
/** With what it offers besides. */
const wholeInstance = settingsOf(instanceText.replaceAll(/^#(?=\w+=)/gm, ""));

/** Each setting of a unit with its values in order: `Section.Name`. */
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

test("the service runs what `npm start` runs", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const [program, ...args] = one("Service.ExecStart").split(" ");
  expect(program).toBe(`${one("Service.WorkingDirectory")}/node_modules/.bin/node`);
  expect(["exec", "node", ...args].join(" ")).toBe(scripts.start);
});

test("it has time to end in order, and comes back when it falls", () => {
  const { shutdownGraceMs } = parseConfig({}).config;
  expect(Number(one("Service.TimeoutStopSec")) * 1000).toBeGreaterThan(2 * shutdownGraceMs);
  expect(one("Service.KillMode")).toBe("mixed");
  expect(one("Service.Restart")).toBe("on-failure");
});

test("it is started again for as long as PostgreSQL is away, and not after a wrong setting", () => {
  expect(one("Unit.StartLimitIntervalSec")).toBe("0");
  expect(Number(one("Service.RestartSec"))).toBeGreaterThanOrEqual(5);
  const main = join(root, "server", "main.ts");
  const { status, stderr } = spawnSync(process.execPath, [main], { env: { PORT: "x" }, encoding: "utf8" });
  expect(stderr).toContain("PORT must be");
  expect(one("Service.RestartPreventExitStatus")).toBe(String(status));
});

test("it writes to its own folder alone, as its own user, with secrets from a file", () => {
  expect(environmentOf(unit).DATA_DIR).toBe(`/var/lib/${one("Service.StateDirectory")}`);
  expect(one("Service.ProtectSystem")).toBe("strict");
  expect(one("Service.User")).toBe("parley");
  expect(one("Service.CapabilityBoundingSet")).toBe("");
  expect(one("Service.NoNewPrivileges")).toBe("yes");
  expect(one("Service.EnvironmentFile")).toMatch(/^\/etc\//);
  // V8 could not compile.
  expect(unit.has("Service.MemoryDenyWriteExecute")).toBe(false);
});

test("each of several processes has a port and a folder of its own", () => {
  const settings = environmentOf(instance);
  expect(settings.PORT).toBe("%i");
  expect(instance.get("Service.StateDirectory")).toEqual(["", "parley-%i"]);
  expect(settings.DATA_DIR).toBe(`/var/lib/${one("Service.StateDirectory", instance)}`);
});

test("what each process has of its own must not be in the file that all share, which would win", () => {
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

test("its variables are ones that Parley reads", () => {
  const { NODE_ENV, ...settings } = environmentOf(unit);
  expect(NODE_ENV).toBe("production");
  for (const name of [...Object.keys(settings), ...Object.keys(environmentOf(instance))]) {
    expect(variableNames).toContain(name);
  }
});

// It is there where systemd is; the checks above are made everywhere.
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
test.skipIf(!hasSystemd)("systemd finds nothing wrong with the units", () => {
  const units = mkdtempSync(join(tmpdir(), "parley-units-"));
  try {
    cpSync(folder, units, { recursive: true });
    // It looks for the program, which is not installed here.
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

test("administration is told to run as the service does", () => {
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

test("what the service says of files in the repository is true", () => {
  const files = unitText.match(/\/opt\/parley\/docs\/[\w./-]+/g) ?? [];
  expect(files).not.toEqual([]);
  for (const file of files) expect(existsSync(file.replace("/opt/parley", root)), file).toBe(true);
});
