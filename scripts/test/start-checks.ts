import { once } from "node:events";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../child.mjs";
import { check, sum, type Tally } from "./tally.ts";
import { freePort, say, start } from "./tools.ts";

/** One run of `npm start`: its output, the address it printed, the status of /healthz and whether the server ended. */
type Run = { output: string; address: string | undefined; health: number; isGone: boolean };

/**
 * Runs `npm start` twice in this folder with a data folder of its own, as a person does. The first start installs and
 * builds what is missing; the second must do neither.
 */
export async function startChecks(): Promise<Tally> {
  const data = await mkdtemp(join(tmpdir(), "parley-start-"));
  try {
    const first = await startOnce(data);
    const second = await startOnce(data);
    const claims: [string, boolean][] = [
      ["npm start prints its address", first.address !== undefined],
      ["the address answers /healthz with 200", first.health === 200],
      ["SIGTERM to npm ends the server", first.isGone],
      [
        "the log of a start has no warning and no stack trace",
        !/\bwarn(ing)?\b|^\s+at /im.test(withoutNpm(first.output)),
      ],
      ["a second start answers", second.health === 200],
      ["a second start installs and builds nothing", !/Installing|Building/.test(second.output)],
    ];
    for (const [claim, holds] of claims) if (!holds) say(`✗ ${claim}`);
    const isSound = claims.every(([, holds]) => holds);
    if (!isSound) say(`The first start wrote:\n${first.output}\nThe second:\n${second.output}`);
    return sum(claims.map(([, holds]) => check(holds)));
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

async function startOnce(data: string): Promise<Run> {
  const port = await freePort();
  const env = { PORT: String(port), DATA_DIR: data };
  const npm = start("npm", ["start"], { env, stdio: "pipe" });
  const run: Run = { output: "", address: undefined, health: 0, isGone: false };
  const closed = once(npm, "close");
  const hasAddress = new Promise<string | undefined>((resolve) => {
    const read = (chunk: Buffer) => {
      run.output += chunk.toString();
      const [address] = new RegExp(`http://[\\w.[\\]:-]+:${port}\\b`).exec(run.output) ?? [];
      if (address !== undefined) resolve(address);
    };
    npm.stdout?.on("data", read);
    npm.stderr?.on("data", read);
    npm.once("close", () => resolve(undefined));
  });
  run.address = await hasAddress;
  if (run.address !== undefined) run.health = await statusOf(`${run.address}/healthz`);
  npm.kill("SIGTERM");
  // The output closes when the last process holding it has exited, so this waits for the server, not just for npm.
  await closed;
  run.isGone = run.address !== undefined && (await statusOf(`${run.address}/healthz`)) === 0;
  return run;
}

/**
 * Checks that `npm ci` accepts the committed lockfile. If the registry lacks builds for other platforms, npm writes a
 * lockfile that it rejects itself; scripts/complete-lockfile.ts repairs it.
 */
export async function lockfileCheck(): Promise<Tally> {
  const folder = await mkdtemp(join(tmpdir(), "parley-lockfile-"));
  try {
    for (const name of ["package.json", "package-lock.json"]) await copyFile(join(root, name), join(folder, name));
    const args = ["ci", "--dry-run", "--no-audit", "--no-fund", "--loglevel=error"];
    const npm = start("npm", args, { cwd: folder, stdio: "pipe" });
    let output = "";
    npm.stdout?.resume();
    npm.stderr?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    const [code] = await once(npm, "close");
    if (code !== 0)
      say(`✗ npm ci refuses package-lock.json; \`node scripts/complete-lockfile.ts\` may repair it.\n${output}`);
    return check(code === 0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns 0 if nothing listens. */
const statusOf = (url: string): Promise<number> =>
  fetch(url).then(
    (response) => response.status,
    () => 0,
  );

/** Removes npm's own output, such as warnings about the user's settings. */
const withoutNpm = (output: string) => output.replace(/^npm .*$/gm, "");
