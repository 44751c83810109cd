import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { root } from "../../child.mjs";
import { type UnprivilegedUser, unprivilegedOwner } from "../../unprivileged-user.ts";
import { check, sum, type Tally } from "../tally.ts";
import { freePort, say } from "../tools.ts";
import { dataFolderOf, type Image, readDockerfile, wordsAfter } from "./dockerfile.ts";
import { type Output, visit } from "./visit.ts";

type Claim = [claim: string, holds: boolean];

/** Timeout against a hang. */
const PATIENCE_MS = 60_000;
/** No user of the image or of this machine. */
const ANY_USER = 1_000_650_000;

/**
 * Checks the image without a container engine. Assembles a read-only folder with the files of the last stage, and runs
 * its command there as any user of group 0 with the image's variables only. A person signs up, asks, gets an answer, finds
 * it by search and becomes the owner by the console's link; the command line lists the person.
 */
export async function imageCheck(): Promise<Tally> {
  const image = readDockerfile();
  const folder = mkdtempSync(join(tmpdir(), "parley-image-"));
  const app = join(folder, "app");
  try {
    fill(app, image);
    cpSync(process.execPath, join(folder, "node"));
    mkdirSync(join(folder, "data"), { mode: 0o700 });
    chmodSync(folder, 0o755);
    const { user: nobody, refusal } = unprivilegedOwner([join(folder, "data")]);
    if (refusal) say(refusal);
    const user = nobody.uid === undefined ? {} : anyUserOf(join(folder, "data"), image);
    spawnSync("chmod", ["-R", "a-w,a+rX", app]);
    const claims = await runIn(folder, image, user);
    for (const [claim, holds] of claims) if (!holds) say(`✗ ${claim}`);
    return sum(claims.map(([, holds]) => check(holds)));
  } finally {
    spawnSync("chmod", ["-R", "u+w", folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Gives the data folder the rights that it has in the image. @returns a user that the image does not name, of group 0 */
function anyUserOf(dataDir: string, image: Image): UnprivilegedUser["user"] {
  const { group, mode } = dataFolderOf(image);
  const [owner] = (wordsAfter(image.last, "USER") ?? "").split(":");
  chownSync(dataDir, Number(owner), Number(group));
  chmodSync(dataDir, mode);
  return { uid: ANY_USER, gid: 0 };
}

/** Copies the files of the last stage; of the packages only those that are not for development. */
function fill(app: string, { last }: Image): void {
  for (const { from, sources, target } of last.copies) {
    if (target.startsWith("/")) continue;
    for (const source of sources) {
      if (source.endsWith("/node_modules")) copyPackages(join(app, target));
      else cpSync(join(root, source.replace("/app/", "")), join(app, from ? target : source), { recursive: true });
    }
  }
}

function copyPackages(target: string): void {
  const lockfile = readFileSync(join(root, "package-lock.json"), "utf8");
  const { packages }: { packages: Record<string, { dev?: boolean }> } = JSON.parse(lockfile);
  for (const [path, { dev }] of Object.entries(packages)) {
    // Packages for other platforms are locked but not installed; nested packages have an entry of their own.
    if (path === "" || dev || /^node_modules\/node-(?:linux|win)/.test(path) || !existsSync(join(root, path))) continue;
    const filter = (file: string) => !file.slice(join(root, path).length).includes("node_modules");
    cpSync(join(root, path), join(target, path.replace("node_modules/", "")), { recursive: true, filter });
  }
}

async function runIn(folder: string, image: Image, user: UnprivilegedUser["user"]): Promise<Claim[]> {
  const port = await freePort();
  const env = { ...image.env, PORT: String(port), DATA_DIR: join(folder, "data") };
  const options = { cwd: join(folder, "app"), env, ...user };
  const server = spawn(join(folder, "node"), image.command.slice(1), options);
  const closed = once(server, "close").catch((error: unknown) => [error]);
  const claims: Claim[] = [];
  try {
    const output = outputOf(server);
    const visited = await visit(`http://127.0.0.1:${port}`, output).then(
      () => "",
      (error: unknown) => `${error}\n${output.soFar()}`,
    );
    if (visited) say(visited);
    claims.push([
      "the image's files are enough to register, send a message, receive the reply, find it by search and become the owner",
      visited === "",
    ]);
    const health = spawnSync(join(folder, "node"), image.healthCheck.slice(1), options);
    claims.push(["the image's health check succeeds", health.status === 0]);
    const admin = spawnSync(join(folder, "node"), ["build/server/admin.js", "users", "list"], options);
    claims.push(["the image's files are enough to administer it", admin.stdout?.includes("ada@example.org") ?? false]);
  } finally {
    server.kill("SIGTERM");
  }
  const [code] = await closed;
  if (code !== 0) say(`It ended with ${code}`);
  claims.push(["SIGTERM stops it with exit code 0", code === 0]);
  return claims;
}

function outputOf(server: ChildProcess): Output {
  let text = "";
  for (const stream of [server.stdout, server.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
    });
  }
  return {
    soFar: () => text,
    match: async (wanted) => {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      while (!wanted.test(text) && server.exitCode === null) {
        await Promise.race([once(server.stdout ?? server, "data", { signal }), once(server, "close", { signal })]);
      }
      return wanted.exec(text);
    },
  };
}
