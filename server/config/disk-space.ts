import { statfs } from "node:fs/promises";
import { Failure } from "../failure.ts";

/** Reads how much space (bytes) is free for this process. Injected so that tests can control it. */
export type FreeSpace = () => Promise<number>;

/** Free space of the disk that holds the data folder. That of a PostgreSQL server elsewhere cannot be read. */
export function freeSpaceOf(dataDir: string): FreeSpace {
  return async () => {
    const { bavail, bsize } = await statfs(dataDir);
    return bavail * bsize;
  };
}

export type DiskFloor = { freeSpace: FreeSpace; config: { minFreeBytes: number } };

/** Whether so much space is free that large writes leave enough for replies and sign-ins. */
export async function isAboveFloor({ freeSpace, config }: DiskFloor): Promise<boolean> {
  return (await freeSpace()) >= config.minFreeBytes;
}

/** @throws Failure `storage-full` where less space is free than is reserved for replies and sign-ins */
export async function refuseBelowFloor(floor: DiskFloor): Promise<void> {
  if (!(await isAboveFloor(floor))) throw new Failure("storage-full");
}
