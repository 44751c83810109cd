import { spawnSync } from "node:child_process";
import { mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** A small file system that a test can fill. */
export type SmallDisk = AsyncDisposable & { folder: string; fill(): Promise<void>; makeRoom(): Promise<void> };

/** Mounts a tmpfs if permitted (root on Linux); undefined otherwise. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "parley-disk-"));
  const options = ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder];
  if (spawnSync("mount", options).status !== 0) {
    await rm(folder, { recursive: true });
    return undefined;
  }
  const filling = join(folder, "filling");
  const unmount = () => void spawnSync("umount", ["--lazy", folder]);
  process.once("exit", unmount);
  return {
    folder,
    fill: async () => {
      const { bavail, bsize } = await statfs(folder);
      await writeFile(filling, Buffer.alloc(bavail * bsize)).catch(allowNoSpace);
    },
    makeRoom: () => rm(filling, { force: true }),
    [Symbol.asyncDispose]: async () => {
      process.off("exit", unmount);
      unmount();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function allowNoSpace(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
}
