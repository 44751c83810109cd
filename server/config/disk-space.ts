import { statfs } from "node:fs/promises";
import { MEGABYTE } from "#contract/limits.ts";
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

const NEARLY_FULL_BYTES = 1000 * MEGABYTE;
const NEARLY_FULL_SHARE = 0.05;

/** Returns whether an operator should free space on a disk; sizes in bytes. */
export const isNearlyFull = ({ free, size }: { free: number; size: number }): boolean =>
  free < Math.max(NEARLY_FULL_BYTES, NEARLY_FULL_SHARE * size);

export type DiskFloor = { freeSpace: FreeSpace; config: { minFreeBytes: number } };

/** Returns whether enough space is free that large writes leave the reserve for replies and sign-ins. */
export async function isAboveFloor({ freeSpace, config }: DiskFloor): Promise<boolean> {
  return (await freeSpace()) >= config.minFreeBytes;
}

/** @throws Failure `storage-full` if less space is free than the reserve for replies and sign-ins */
export async function refuseBelowFloor(floor: DiskFloor): Promise<void> {
  if (!(await isAboveFloor(floor))) throw new Failure("storage-full");
}
