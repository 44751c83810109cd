import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import { constants } from "node:os";
import { join } from "node:path";
import { cleanEnv, root, sharedCompileCache } from "../child.mjs";

const programs = {
  biome: "@biomejs/biome/bin/biome",
  playwright: "@playwright/test/cli.js",
  tsc: "typescript/bin/tsc",
  vitest: "vitest/vitest.mjs",
};

const running = new Set<ChildProcess>();

/**
 * Starts a process that is ended with this one. `stdio`: a number is an open file that gets the output. `hasChannel`:
 * opens an IPC channel from the child.
 */
export function start(
  command: string,
  args: string[],
  options: {
    cwd?: string;
    env?: Record<string, string>;
    stdio?: "inherit" | "pipe" | number;
    hasChannel?: boolean;
  } = {},
): ChildProcess {
  const { cwd = root, env = {}, stdio = "inherit", hasChannel = false } = options;
  const channel = hasChannel ? (["ipc"] as const) : [];
  const child = spawn(command, args, {
    cwd,
    env: cleanEnv({ ...sharedCompileCache, ...env }),
    stdio: ["ignore", stdio, stdio, ...channel],
  });
  running.add(child);
  child.once("close", () => running.delete(child));
  return child;
}

/** Runs a tool from node_modules with inherited output. Returns its exit code. */
export function show(tool: keyof typeof programs, args: string[], env: Record<string, string> = {}): Promise<number> {
  return runScript(join(root, "node_modules", programs[tool]), args, env);
}

/** Runs a script with inherited output. Returns its exit code. */
export async function runScript(file: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  const [code] = await once(start(process.execPath, [file, ...args], { env }), "close");
  return Number(code ?? 1);
}

/** Runs a tool and returns whether it succeeded; prints its output only on failure. */
export async function passes(tool: keyof typeof programs, args: string[]): Promise<boolean> {
  const child = start(process.execPath, [join(root, "node_modules", programs[tool]), ...args], { stdio: "pipe" });
  let output = "";
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on("data", collect);
  child.stderr?.on("data", collect);
  const [code] = await once(child, "close");
  if (code !== 0) say(output.trimEnd());
  return code === 0;
}

export const say = (line: string) => process.stdout.write(`${line}\n`);

/** Ends child processes on a signal: a test runner left behind would keep its servers and browsers running. */
export function endChildrenWithUs(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      for (const child of running) child.kill("SIGTERM");
      process.exit(128 + constants.signals[signal]);
    });
  }
}

export async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  if (typeof address !== "object" || address === null) throw new Error("A listening server has no port.");
  return address.port;
}
