import { spawnSync } from "node:child_process";
import { chownSync } from "node:fs";
import process from "node:process";

/** For `spawn`: another user, or none where it is to be the one who runs this. */
export type Stranger = { user: { uid?: number; gid?: number }; refusal?: string };

/** By custom nobody, who owns nothing. */
const NOBODY = 65_534;

/**
 * A user who owns nothing but these paths (a folder first, which becomes theirs with the rest), where we may choose one:
 * as root. Where root itself may not, `refusal` is a sentence that says so.
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
      // It was not given away then.
    }
  }
}
