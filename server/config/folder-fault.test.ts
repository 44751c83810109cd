import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sharedCompileCache } from "../../scripts/child.mjs";
import { NOBODY, unprivilegedOwner } from "../../scripts/unprivileged-user.ts";
import { mountSmallDisk } from "../../testing/servers/small-disk.ts";

// Detects hanging only: the spawned processes share two cores with all other tests.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const adminMain = fileURLToPath(new URL("../cli/main.ts", import.meta.url));
const isRoot = process.getuid?.() === 0;
/** Root starts the programs as another user, who may not reach the folder of the repository. */
const canStart = !isRoot || spawnSync(process.execPath, ["--version"], NOBODY).status === 0;

let parent: string;
let dataDir: string;
/** User of the started processes: permissions do not bind root. */
let user: { uid?: number; gid?: number };
let ids: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "parley-rights-"));
  dataDir = join(parent, "data");
  ({ user } = unprivilegedOwner([parent]));
  ids = `${user.uid ?? process.getuid?.()}:${user.gid ?? process.getgid?.()}`;
});
afterEach(() => rm(parent, { recursive: true }));

/** Runs a program that fails. @returns what it prints on stderr */
async function failureOf(program = [main], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, program, {
    env: { PORT: "0", DATA_DIR: dataDir, ...sharedCompileCache, ...env },
    stdio: ["ignore", "ignore", "pipe"],
    ...user,
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect(code).toBe(1);
  expect(said).not.toMatch(/unable to open|^\s+at /m);
  return said;
}

/** Expects the server to start, and ends it. */
async function expectStart(): Promise<void> {
  const env = { PORT: "0", DATA_DIR: dataDir, ...sharedCompileCache };
  const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "inherit"], ...user });
  let output = "";
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.includes("is running on")) child.kill("SIGTERM");
  }
  expect(output).toContain("is running on");
}

describe.runIf(canStart)("a data folder without rights", () => {
  it.runIf(isRoot)(
    "the start names the owner of the data folder, its own user and the command that mends it",
    async () => {
      await mkdir(dataDir, { mode: 0o700 });
      expect(await failureOf()).toBe(
        `The data folder cannot be used: ${dataDir} belongs to user 0 and group 0 with mode 700, and this process runs ` +
          `as user ${user.uid} and group ${user.gid}. As root, on the machine that has the folder: ` +
          `chown -R ${ids} ${dataDir}\n`,
      );
      spawnSync("chown", ["-R", ids, dataDir]);
      await expectStart();
    },
  );

  it("the start names the mode of a data folder of its own that it may not write to", async () => {
    await mkdir(dataDir, { mode: 0o500 });
    if (isRoot) await chown(dataDir, user.uid ?? 0, user.gid ?? 0);
    const said = await failureOf();
    expect(said).toContain(`${dataDir} belongs to user ${ids.split(":")[0]}`);
    expect(said).toMatch(/ with mode 500, .* Run: chmod -R u\+rwX \S+data$/m);
    await chmod(dataDir, 0o700);
  });

  it("the start names the folder above in which the data folder cannot be created", async () => {
    await chmod(parent, 0o500);
    const said = await failureOf([main], { DATA_DIR: join(dataDir, "of parley") });
    await chmod(parent, 0o700);
    expect(said).toMatch(new RegExp(`of parley cannot be created or reached: ${parent} belongs to user \\d+`));
    const [uid, gid] = ids.split(":");
    expect(said).toContain(`As root: install -d -o ${uid} -g ${gid} -m 700 '${join(dataDir, "of parley")}'`);
  });

  it.runIf(isRoot).each(["parley.db", "lock", "secret-key", "files", "mails"])(
    "the start names “%s” if it belongs to another user",
    async (name) => {
      const path = join(dataDir, name);
      const isFolder = name === "files" || name === "mails";
      await mkdir(isFolder ? path : dataDir, { recursive: true, mode: 0o700 });
      if (!isFolder) await writeFile(path, "", { mode: 0o600 });
      await chown(dataDir, user.uid ?? 0, user.gid ?? 0);
      const said = await failureOf();
      expect(said).toContain(`${path} belongs to user 0 and group 0`);
      expect(said).toContain(`chown -R ${ids} ${dataDir}`);
    },
  );

  it.runIf(isRoot)("a command of administration names the owner of the database, too", async () => {
    await mkdir(dataDir, { mode: 0o700 });
    expect(await failureOf([adminMain, "users", "list"])).toContain(`${dataDir} belongs to user 0`);
    await chown(dataDir, user.uid ?? 0, user.gid ?? 0);
    await writeFile(join(dataDir, "parley.db"), "", { mode: 0o600 });
    expect(await failureOf([adminMain, "users", "list"])).toContain(`${join(dataDir, "parley.db")} belongs to user 0`);
  });
});

describe.runIf(canStart)("a data folder that cannot be written to", () => {
  it("the start names a file in the position of the data folder", async () => {
    await writeFile(dataDir, "");
    const sentence = `${dataDir} is a file, and must be a folder. Move the file away, or set DATA_DIR to another folder.\n`;
    expect(await failureOf()).toBe(sentence);
    expect(await failureOf([main], { DATA_DIR: join(dataDir, "below") })).toBe(sentence);
  });

  it("the start names a disk that is mounted read-only", async ({ skip }) => {
    await using disk = await mountSmallDisk(8);
    if (!disk) return skip();
    spawnSync("mount", ["-o", "remount,ro", disk.folder]);
    const said = await failureOf([main], { DATA_DIR: disk.folder });
    expect(said).toBe(
      `${disk.folder} is on a disk that is mounted read-only. Mount it for writing, or set DATA_DIR to another folder.\n`,
    );
  });

  it("the start names a disk without space", async ({ skip }) => {
    await using disk = await mountSmallDisk(8);
    if (!disk) return skip();
    if (user.uid !== undefined) await chown(disk.folder, user.uid, user.gid ?? 0);
    await disk.fill();
    expect(await failureOf([main], { DATA_DIR: disk.folder })).toMatch(
      new RegExp(`^No space is left on the disk of ${disk.folder}.* set DATA_DIR to a folder on a larger disk\\.\n$`),
    );
  });
});
