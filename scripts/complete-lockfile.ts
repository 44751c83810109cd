// Adds to package-lock.json the optional packages for other platforms that the registry of the last install did not
// have: without them `npm ci` refuses the lockfile everywhere ("Missing: … from lock file"). Versions come from the
// packages that depend on them, platforms from their names. Their integrity is unknown here; the next `npm install`
// against a full registry adds it. Run this after each change of the packages.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./child.mjs";

type Entry = {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};

const systems = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const processors = ["arm", "arm64", "ia32", "loong64", "ppc64", "riscv64", "s390x", "wasm32", "x64"];
const libraries: Record<string, string> = { musl: "musl", gnu: "glibc", gnueabihf: "glibc", musleabihf: "musl" };

/** Derives the platform of a package from its name, e.g. `@tool/linux-x64-musl`. */
function platformOf(name: string): Pick<Entry, "os" | "cpu" | "libc"> {
  const words = name.split(/[-/]/);
  const pick = (known: string[]) => known.filter((word) => words.includes(word));
  const platform = { os: pick(systems), cpu: pick(processors), libc: words.flatMap((word) => libraries[word] ?? []) };
  return Object.fromEntries(Object.entries(platform).filter(([, values]) => values.length > 0));
}

/** Whether `name` resolves from the package at `path` by Node's algorithm. */
function isLocked(packages: Record<string, Entry>, path: string, name: string): boolean {
  const parents = path
    .split("/node_modules/")
    .map((_, index, parts) => parts.slice(0, index + 1).join("/node_modules/"));
  return [`node_modules/${name}`, ...parents.map((parent) => `${parent}/node_modules/${name}`)].some(
    (place) => packages[place] !== undefined,
  );
}

/** Sorts keys like npm, so that its next write changes no other lines. */
const inOrder = <T extends object>(entries: T) =>
  Object.fromEntries(Object.entries(entries).sort(([a], [b]) => a.localeCompare(b, "en")));

const file = join(root, "package-lock.json");
const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync(file, "utf8"));
const added: string[] = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (path === "" || isLocked(lock.packages, path, name)) continue;
    if (!/^\d+\.\d+\.\d+/.test(version)) throw new Error(`${path} names ${name}@${version}: not an exact version.`);
    const details: Entry = { ...platformOf(name), ...(entry.dev === true ? { dev: true } : {}), optional: true };
    lock.packages[`node_modules/${name}`] = { version, ...inOrder(details) };
    added.push(`${name}@${version}`);
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en"));
if (added.length > 0)
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
for (const name of added) process.stdout.write(`added ${name}\n`);
