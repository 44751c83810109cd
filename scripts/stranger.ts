import { spawnSync } from "node:child_process";
import { chownSync } from "node:fs";
import process from "node:process";

/** User for `spawn`; empty for the current user. */
export type Stranger = { user: { uid?: number; gid?: number }; refusal?: string };

/** Conventional id of the user `nobody`. */
const NOBODY = 65_534;

/**
 * As root, changes the owner of these paths (a folder first) to an unprivileged user, and returns that user. If root
 * may not do that, `refusal` is a sentence that says so.
 */
export function strangerOwning(paths: readonly string[], isRoot = process.getuid?.() === 0): Stranger {
  if (!isRoot) return { user: {} };
  const user = { uid: NOBODY, gid: NOBODY };
  try {
    for (const path of paths) chownSync(path, user.uid, user.gid);
    const reach = ["-c", 'test -w "$1"', "sh", paths[0] ?? ""];
    const { error, status } = spawnSync("/bin/sh", reach, { ...user, stdio: "ignore" });
    if (error) throw error;
    if (status !== 0) throw new Error(`${paths[0]} cannot be reached by others`);
    return { user };
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    takeBack(paths);
    return { user: {}, refusal: `Nobody else can be taken to run it (${reason}): it runs as the same user.` };
  }
}

function takeBack(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      chownSync(path, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    } catch {
      // Its owner was not changed.
    }
  }
}
