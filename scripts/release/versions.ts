/** Whether a text is a version without a suffix, e.g. `1.2.3`. */
export const isVersion = (text: string) => /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(text);

/** Compares two versions: negative if `a` is older. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Returns the tags of the image of a version, e.g. `1.2.3`, `1.2` and `1`. The short ones only move forward: a version
 * does not get one that a newer version in `released` has. There is no `0`, because versions below 1 promise nothing.
 */
export function imageTags(version: string, released: readonly string[]): string[] {
  const [major, minor] = version.split(".");
  const isNewestOf = (prefix: string) =>
    released.every((other) => !other.startsWith(`${prefix}.`) || compareVersions(other, version) <= 0);
  return [version, `${major}.${minor}`, ...(major === "0" ? [] : [`${major}`])].filter(
    (tag) => tag === version || isNewestOf(tag),
  );
}
