import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseConfig } from "../../../server/config/config.ts";
import { root } from "../../child.mjs";

const file = join(root, "deploy", "caddy", "Caddyfile");
const text = readFileSync(file, "utf8");
const directives = text
  .split("\n")
  .map((line) => line.replace(/#.*/, "").trim())
  .filter(Boolean);

test("Caddy forwards every chunk at once to the port of Parley, and compresses nothing", () => {
  expect(directives).toContain(`reverse_proxy 127.0.0.1:${parseConfig({}).config.port} {`);
  expect(directives).toContain("flush_interval -1");
  expect(directives.some((line) => line.startsWith("encode"))).toBe(false);
  expect(text.match(/[{}]/g)?.reduce((depth, sign) => depth + (sign === "{" ? 1 : -1), 0)).toBe(0);
});

test("the server accepts the settings in the file's header, and the site's address is the public one", () => {
  const named = Object.fromEntries([...text.matchAll(/\b([A-Z_]{4,})=(\S+)/g)].map(([, name, value]) => [name, value]));
  const { config, warnings } = parseConfig(named);
  expect(warnings).toEqual([]);
  expect(config.trustProxy).toBe("127.0.0.1");
  expect(directives).toContain(`${new URL(config.publicUrl).hostname} {`);
});

test("J6 Caddy logs URLs without their query, for requests and for its own errors", () => {
  const [, pattern = ""] = /request>uri regexp (\S+) ""/.exec(text) ?? [];
  expect("/verify-email?key=a?b&c".replace(new RegExp(pattern), "")).toBe("/verify-email");
  expect(directives).toContain("request>headers>Referer delete");
  // The global options come first; a filter there applies to all of Caddy's log.
  expect(directives.indexOf("log {")).toBe(1);
  expect(directives[0]).toBe("{");
  // A request log without options of its own uses the same log.
  expect(directives).toContain("log");
});

// Runs only if Caddy is installed; the checks above run everywhere.
const hasCaddy = spawnSync("caddy", ["version"]).status === 0;
test.skipIf(!hasCaddy)("Caddy accepts its file", () => {
  const { status, stderr } = spawnSync("caddy", ["validate", "--config", file, "--adapter", "caddyfile"], {
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  expect(spawnSync("caddy", ["fmt", file], { encoding: "utf8" }).stdout).toBe(text);
});
