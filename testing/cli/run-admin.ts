import { type ChildProcess, type ChildProcessWithoutNullStreams, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import * as z from "zod/mini";
import { root, sharedCompileCache } from "../../scripts/child.mjs";
import type { Environment } from "../../server/config/config.ts";
import type { TestHarness } from "../app/start-test-app.ts";

const program = join(root, "server", "cli", "main.ts");
const hostProgram = join(root, "testing", "cli", "admin-host.ts");

export type AdminResult = {
  code: number | null;
  out: string;
  err: string;
  /** Output of `--json`. */
  json: Record<string, unknown>;
};

type Harness = Pick<TestHarness, "dataDir" | "env">;

/**
 * Runs a command of `npm run admin -- …` on the data of a harness, without a terminal. The commands of a test file
 * share one process. With `input` the command runs in a process of its own, from the command line to the exit code.
 */
export async function admin(
  harness: Harness,
  words: readonly string[],
  { input, env = {} }: { input?: string; env?: Environment } = {},
): Promise<AdminResult> {
  const { code, out, err } =
    input === undefined
      ? await runInHost(words, envOf(harness, env))
      : await runAlone(spawnAdmin(harness, words, env), input);
  if (out === "" && words.includes("--json")) throw new Error(`Nothing was told: ${err}`);
  const json = words.includes("--json") ? (JSON.parse(out) as Record<string, unknown>) : {};
  return { code, out, err, json };
}

type Printed = Omit<AdminResult, "json">;

async function runAlone(child: ChildProcessWithoutNullStreams, input: string): Promise<Printed> {
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, out, err };
}

const printedSchema = z.object({ code: z.number(), out: z.string(), err: z.string() });
let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Runs commands in sequence. */
function runInHost(words: readonly string[], env: Environment): Promise<Printed> {
  const printed = last.then(() => ask({ words, env }));
  last = printed.catch(() => undefined);
  return printed;
}

async function ask(request: { words: readonly string[]; env: Environment }): Promise<Printed> {
  host ??= startHost();
  const child = host;
  const { promise, resolve, reject } = Promise.withResolvers<Printed>();
  const onMessage = (message: unknown) => resolve(printedSchema.parse(message));
  const onExit = () => reject(new Error(`The process of ${request.words.join(" ")} has ended.`));
  child.once("message", onMessage).once("exit", onExit);
  child.send(request);
  return await promise.finally(() => child.off("message", onMessage).off("exit", onExit));
}

/** Starts the shared process, which ends with this one and does not keep it alive. */
function startHost(): ChildProcess {
  const child = fork(hostProgram, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  child.once("exit", () => {
    host = undefined;
  });
  child.unref();
  child.channel?.unref();
  return child;
}

const envOf = ({ dataDir, env }: Harness, moreEnv: Environment): Environment => ({
  PATH: process.env.PATH,
  ...sharedCompileCache,
  DATA_DIR: dataDir,
  ...env,
  ...moreEnv,
});

/** Starts `npm run admin -- …` and returns the running process. */
export function spawnAdmin(
  harness: Harness,
  words: readonly string[],
  moreEnv: Environment = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [program, ...words], {
    env: envOf(harness, moreEnv),
    stdio: ["pipe", "pipe", "pipe"],
  });
}
