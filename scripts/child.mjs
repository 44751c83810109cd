import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const endWithParent = new URL("end-with-parent.mjs", import.meta.url).href;
const running = new Set();

/**
 * Environment for child processes, without npm's own variables, which would mislead a nested npm.
 * @param {Record<string, string | undefined>} extra
 * @returns {Record<string, string | undefined>}
 */
export function cleanEnv(extra = {}) {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_(lifecycle|package|command)/.test(name));
  return { ...Object.fromEntries(kept), ...extra };
}

/**
 * Runs a Node program that ends with this process.
 * @param {string} node the Node binary
 * @param {string[]} args script and arguments
 * @param {{ cwd: string, env?: Record<string, string>, show?: boolean }} options `show`: passes its output through
 * @returns {Promise<{ code: number, output: string }>} exit code and, without `show`, output
 */
export function runNode(node, args, { cwd, env = {}, show = false }) {
  const preload = ["--disable-warning=ExperimentalWarning", "--import", endWithParent];
  const output = show ? "inherit" : "pipe";
  return new Promise((resolve, reject) => {
    const child = spawn(node, [...preload, ...args], { cwd, env: cleanEnv(env), stdio: ["pipe", output, output] });
    running.add(child);
    let text = "";
    const collect = (chunk) => {
      text += chunk;
    };
    child.stdout?.setEncoding("utf8").on("data", collect);
    child.stderr?.setEncoding("utf8").on("data", collect);
    child.on("error", reject);
    child.on("close", (code) => {
      running.delete(child);
      resolve({ code: code ?? 1, output: text });
    });
  });
}

/**
 * Process ids of our parent and, on Linux (from /proc), of the parent's parent: npm, if a shell stays between. On other
 * systems only the exit of the direct parent is noticed.
 */
function starters() {
  const parent = process.ppid;
  try {
    return `${parent} ${readFileSync(`/proc/${parent}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]}`;
  } catch {
    return `${parent}`;
  }
}

/** Ends this process and its children on a signal, or when the npm that started it has exited. */
export function endWithStarter() {
  const end = (signal) => {
    for (const child of running) child.kill("SIGTERM");
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => end(signal));
  if (process.env.npm_lifecycle_event === undefined) return;
  const atFirst = starters();
  setInterval(() => starters() !== atFirst && end("SIGTERM"), 500).unref();
}

/** Path of the repository, without a trailing slash. */
export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

/**
 * Environment of processes that tests start: they share compiled code. A server then starts from its sources with half
 * the processor time (0.9 s instead of 2.0 s).
 */
export const sharedCompileCache = { NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled") };
