import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "../child.mjs";

/** A package of the lockfile. `path`: its folder, such as `node_modules/a/node_modules/b`. */
export type Package = {
  path: string;
  name: string;
  /** A development dependency: for building and testing, or bundled. */
  isDev: boolean;
  hasInstallScript: boolean;
  /** SPDX expression; undefined if neither lockfile nor package has one. */
  licence: string | undefined;
  /** False for packages of other platforms. */
  isInstalled: boolean;
};

type Entry = {
  dev?: boolean;
  license?: string;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));
const entries: Record<string, Entry> = readJson("package-lock.json").packages;
const own = entries[""] ?? {};

/** The direct dependencies by name. */
export const direct = {
  runTime: Object.keys(own.dependencies ?? {}),
  development: Object.keys(own.devDependencies ?? {}),
  optional: Object.keys(own.optionalDependencies ?? {}),
};

const MODULES = "node_modules/";

export const packages: Package[] = Object.entries(entries)
  .filter(([path]) => path !== "")
  .map(([path, { dev = false, license, hasInstallScript = false }]) => {
    const isInstalled = existsSync(join(root, path, "package.json"));
    return {
      path,
      name: path.slice(path.lastIndexOf(MODULES) + MODULES.length),
      isDev: dev,
      hasInstallScript,
      licence: license ?? (isInstalled ? readJson(join(path, "package.json")).license : undefined),
      isInstalled,
    };
  });

/** Paths of a dependency and of its transitive dependencies, resolved by Node's algorithm. */
export function closureOf(name: string): string[] {
  const found = new Set<string>();
  const add = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    const { dependencies = {}, optionalDependencies = {} } = entries[path] ?? {};
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = placeOf(needed, path);
      if (place) add(place);
    }
  };
  add(MODULES + name);
  return [...found].filter((path) => existsSync(join(root, path)));
}

function placeOf(name: string, from: string): string | undefined {
  const parts = from.split(`/${MODULES}`);
  const folders = parts.map((_, index) => `${parts.slice(0, parts.length - index).join(`/${MODULES}`)}/`);
  return [...folders, ""].map((folder) => `${folder}${MODULES}${name}`).find((place) => entries[place] !== undefined);
}

const weighed = new Map<string, number>();

/** Bytes of an installed package's files, without nested packages. */
export function bytesOf(path: string): number {
  const known = weighed.get(path);
  if (known !== undefined) return known;
  const files = globSync("**", { cwd: join(root, path), exclude: ["node_modules"], withFileTypes: true });
  const bytes = files
    .filter((file) => file.isFile())
    .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
  weighed.set(path, bytes);
  return bytes;
}

/** Weight of several packages in MB of a million bytes. */
export const megabytesOf = (paths: string[]): number => paths.reduce((sum, path) => sum + bytesOf(path), 0) / 1e6;
