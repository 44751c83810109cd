import { statfs } from "node:fs/promises";
import { Failure } from "../failure.ts";

/** Returns the free space (bytes) for this process. Injected so that tests can control it. */
export type FreeSpace = () => Promise<number>;

/** Reads the free space of the data folder's disk. The disk of a remote PostgreSQL server cannot be read. */
export function freeSpaceOf(dataDir: string): FreeSpace {
  return async () => {
    const { bavail, bsize } = await statfs(dataDir);
    return bavail * bsize;
  };
}

/** Returns the size (bytes) of the data folder's disk. */
export async function diskSizeOf(dataDir: string): Promise<number> {
  const { blocks, bsize } = await statfs(dataDir);
  return blocks * bsize;
}

export type DiskFloor = { freeSpace: FreeSpace; config: { minFreeBytes: number } };

/** Returns whether enough space is free that large writes leave the reserve for replies and sign-ins. */
export async function isAboveFloor({ freeSpace, config }: DiskFloor): Promise<boolean> {
  return (await freeSpace()) >= config.minFreeBytes;
}

/** @throws Failure `storage-full` if less space is free than the reserve for replies and sign-ins */
export async function refuseBelowFloor(floor: DiskFloor): Promise<void> {
  if (!(await isAboveFloor(floor))) throw new Failure("storage-full");
}
