// Runs before `start`, `dev`, `test` and `check`: installs the packages of the lockfile and, with --build, builds, each
// only if something changed. It uses built-in modules only, because nothing is installed yet, and runs on Node 20,
// which may be all that the machine has (docs/decisions/0004-start-without-global-tools.md,
// 0030-the-start-runs-npm-ci.md).
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { endWithStarter, root, runNode } from "./child.mjs";
import { seconds, showElapsed } from "./elapsed.mjs";
import { holdLock } from "./lock.mjs";

const NODE_MAJOR = 24;
/** Of the installation and of the build, each; measured on slow machines. */
const ESTIMATE = "about a minute, once";
const isWindows = process.platform === "win32";
const at = (...parts) => join(root, ...parts);
const say = (line) => process.stdout.write(`${line}\n`);

const installStamp = at("node_modules", ".parley-install");
const buildStamp = at("build", ".stamp");
const builtFrom = ["contract", "server", "web", "vite.config.ts", "scripts/build", "package.json", "package-lock.json"];
const builtFiles = ["server/main.ts:build/server/main.js", "web/index.html:build/web/index.html"];

/** A failure that is reported as one sentence, after the output of the tool. */
class Failure extends Error {}

function filesUnder(path) {
  const entries = readdirSync(path, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function hashOf(paths, ...more) {
  const hash = createHash("sha256").update(JSON.stringify(more));
  for (const path of paths) hash.update(`\0${relative(root, path)}\0`).update(readFileSync(path));
  return hash.digest("hex");
}

const installHash = () => hashOf([at("package-lock.json")], process.platform, process.arch);

function buildHash() {
  const present = builtFrom.map((name) => at(name)).filter((path) => existsSync(path));
  const files = present.flatMap((path) => (lstatSync(path).isDirectory() ? filesUnder(path).sort() : [path]));
  return hashOf(files.filter((path) => !/\.test\.tsx?$/.test(path)));
}

const stamped = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "");

function stamp(path, hash) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, hash);
}

const isInstalled = () => stamped(installStamp) === installHash();

const isBuilt = () =>
  stamped(buildStamp) === buildHash() &&
  builtFiles.every((pair) => {
    const [source, built] = pair.split(":");
    return !existsSync(at(source)) || existsSync(at(built));
  });

const packagedNode = at(
  "node_modules",
  `node-${isWindows ? "win" : process.platform}-${process.arch}`,
  "bin",
  isWindows ? "node.exe" : "node",
);
const linkedNode = at("node_modules", ".bin", "node");

function answers(node) {
  const { stdout } = spawnSync(node, ["-v"], { encoding: "utf8" });
  return Number(/^v(\d+)\./.exec(stdout ?? "")?.[1] ?? 0) >= NODE_MAJOR;
}

/**
 * Returns the Node for the build, which npm scripts find first in their PATH: the packaged one, else the machine's. A
 * packaged one that does not run here (another libc) is unlinked, so that it does not shadow the machine's Node.
 */
function findNode() {
  if (answers(linkedNode)) return linkedNode;
  if (!isWindows) rmSync(linkedNode, { force: true });
  if (answers(packagedNode)) {
    if (!isWindows) symlinkSync(relative(dirname(linkedNode), packagedNode), linkedNode);
    return packagedNode;
  }
  if (answers(process.execPath)) return process.execPath;
  throw new Failure(
    `Parley needs Node ${NODE_MAJOR} or newer and npm has no package of it for this machine ` +
      `(${process.platform} ${process.arch}, Node ${process.versions.node}): install it from nodejs.org and try again.`,
  );
}

/**
 * Returns the npm program: the one that started this script, else the one beside our Node, else the first in the PATH.
 */
function findNpm() {
  const told = process.env.npm_execpath;
  if (told !== undefined && /npm-cli\.[cm]?js$/.test(told)) return told;
  const folders = (process.env.PATH ?? "").split(isWindows ? ";" : ":");
  for (const folder of [dirname(process.execPath), ...folders].filter(Boolean)) {
    for (const modules of [join(folder, "..", "lib", "node_modules"), join(folder, "node_modules")]) {
      const path = join(modules, "npm", "bin", "npm-cli.js");
      if (existsSync(path)) return path;
    }
  }
  throw new Failure("npm was not found: start with `npm start`, or put npm into the PATH.");
}

/** Returns a function that counts the packages of the lockfile that are unpacked. */
function packageCounter() {
  const { packages = {} } = JSON.parse(readFileSync(at("package-lock.json"), "utf8"));
  // Packages for other systems are never unpacked.
  const isForHere = ({ os, cpu }) => (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);
  const paths = Object.entries(packages).flatMap(([path, found]) => (path && isForHere(found) ? [path] : []));
  const isUnpacked = (path) => existsSync(at(path, "package.json"));
  return () => `${paths.filter(isUnpacked).length} of ${paths.length} packages`;
}

async function install() {
  const hash = installHash();
  const began = Date.now();
  const npm = findNpm();
  const endProgress = showElapsed("Installing packages", ESTIMATE, packageCounter());
  // Without the stamp a killed installation is repeated; `npm ci` starts with an empty node_modules.
  rmSync(installStamp, { force: true });
  // During the installation a link to a half-written Node would be first in the PATH of another start.
  if (!isWindows) rmSync(linkedNode, { force: true });
  // No package needs its install scripts, so none may run.
  const flags = [
    "--include=dev",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--loglevel=error",
  ];
  const { code, output } = await runNode(process.execPath, [npm, "ci", ...flags], { cwd: root });
  endProgress();
  if (code !== 0) {
    process.stderr.write(output);
    throw new Failure("The packages could not be installed; npm's output is above. Fix the problem and try again.");
  }
  findNode();
  // cmd.exe has no `exec`, with which the npm scripts replace their shell on other systems; this stub just calls.
  if (isWindows) writeFileSync(at("node_modules", ".bin", "exec.cmd"), "@%*\r\n");
  stamp(installStamp, hash);
  say(`Installed in ${seconds(began)}.`);
}

async function build() {
  const hash = buildHash();
  const began = Date.now();
  const endProgress = showElapsed("Building", ESTIMATE);
  rmSync(buildStamp, { force: true });
  const { code, output } = await runNode(findNode(), [at("scripts", "build", "build.ts")], { cwd: root });
  endProgress();
  if (code !== 0) {
    process.stderr.write(output);
    throw new Failure("The build failed; its output is above.");
  }
  stamp(buildStamp, hash);
  say(`Built in ${seconds(began)}.`);
}

/**
 * @param {{ withBuild: boolean, isForced?: boolean }} wishes
 */
export async function prepare({ withBuild, isForced = false }) {
  const isReady = () => isInstalled() && (!withBuild || isBuilt());
  if (isReady() && !isForced) return;
  const release = await holdLock(root, () => say("Waiting for another preparation of this folder …"));
  try {
    if (!isInstalled()) await install();
    if (withBuild && (isForced || !isBuilt())) await build();
  } finally {
    release();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  endWithStarter();
  try {
    await prepare({ withBuild: process.argv.includes("--build"), isForced: process.argv.includes("--force") });
  } catch (error) {
    process.stderr.write(`${error instanceof Failure ? error.message : error.stack}\n`);
    process.exitCode = 1;
  }
}
