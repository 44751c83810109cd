import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../child.mjs";
import { closureOf, direct, megabytesOf, packages } from "./tree.ts";

const file = join(root, "docs", "dependencies.md");
const TOTALS = /(<!-- totals -->\n).*?(<!-- \/totals -->)/s;
const ROW = /^\| `([^`]+)` \|(.*)\|$/;

/** Reads the reason (last column) of each package in the document. */
export function readReasons(): Map<string, string> {
  const rows = readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => ROW.exec(line) ?? []);
  const reasons = new Map<string, string>();
  for (let at = 0; at < rows.length; at += 3) {
    reasons.set(rows[at + 1] ?? "", rows[at + 2]?.split("|").at(-1)?.trim() ?? "");
  }
  return reasons;
}

/** Updates weights, licences and totals in the document. Reasons and the set of rows do not change. */
export function rewriteDocument(): void {
  const lines = readFileSync(file, "utf8").split("\n");
  const rewritten = lines.map((line) => {
    const [, name, rest] = ROW.exec(line) ?? [];
    if (name === undefined || rest === undefined) return line;
    return `| \`${name}\` | ${[...factsOf(name), rest.split("|").at(-1)?.trim()].join(" | ")} |`;
  });
  writeFileSync(
    file,
    rewritten.join("\n").replace(TOTALS, (_, before, after) => `${before}\n${totals()}\n\n${after}`),
  );
}

/** Columns of a package: for run-time dependencies number and weight of its packages, and licence; else the licence. */
function factsOf(name: string): string[] {
  const licence = packages.find(({ path }) => path === `node_modules/${name}`)?.licence ?? "?";
  if (!direct.runTime.includes(name)) return [licence];
  const paths = closureOf(name);
  return [String(paths.length - 1), inMb(megabytesOf(paths)), licence];
}

const inMb = (megabytes: number) => (megabytes < 10 ? megabytes.toFixed(1) : megabytes.toFixed(0));

/** Describes both dependency trees and their weights. */
export function totals(): string {
  const installed = packages.filter(({ isInstalled }) => isInstalled);
  const isNode = ({ name }: { name: string }) => direct.optional.includes(name);
  const weight = (some: typeof installed) =>
    `${some.length} ${some.length === 1 ? "package" : "packages"}, ${megabytesOf(some.map(({ path }) => path)).toFixed(0)} MB`;
  return [
    `- At run time: ${weight(installed.filter((one) => !one.isDev && !isNode(one)))}.`,
    `- Node itself, if the machine has none that is new enough: ${weight(installed.filter(isNode))}.`,
    `- For building and testing, including packages bundled into the web part: ${weight(installed.filter(({ isDev }) => isDev))}.`,
  ].join("\n");
}
