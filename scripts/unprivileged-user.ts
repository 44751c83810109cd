import { spawnSync } from "node:child_process";
import { chownSync } from "node:fs";
import process from "node:process";

/** User for `spawn`; empty for the current user. */
export type UnprivilegedUser = { user: { uid?: number; gid?: number }; refusal?: string };

/** The conventional ids of the user `nobody` and its group. */
export const NOBODY = { uid: 65_534, gid: 65_534 };

/**
 * As root, changes the owner of these paths (a folder first) to an unprivileged user, and returns that user. `refusal`
 * is a sentence for the log if root may not do that.
 */
export function unprivilegedOwner(paths: readonly string[], isRoot = process.getuid?.() === 0): UnprivilegedUser {
  if (!isRoot) return { user: {} };
  const user = NOBODY;
  try {
    for (const path of paths) chownSync(path, user.uid, user.gid);
    const reach = ["-c", 'test -w "$1"', "sh", paths[0] ?? ""];
    const { error, status } = spawnSync("/bin/sh", reach, { ...user, stdio: "ignore" });
    if (error) throw error;
    if (status !== 0) throw new Error(`${paths[0]} cannot be reached by others`);
    return { user };
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    restoreOwner(paths);
    return { user: {}, refusal: `No unprivileged user can run it (${reason}): it runs as the same user.` };
  }
}

function restoreOwner(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      chownSync(path, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    } catch {
      // Its owner was not changed.
    }
  }
}
