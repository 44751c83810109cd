/** Returns the stored form of groups of tools (slugs); null where none was chosen. */
export function storedToolGroups(groups: readonly string[] | null | undefined): string | null {
  return groups ? JSON.stringify([...new Set(groups)].sort()) : null;
}

/** Parses stored groups of tools; null where none was chosen. */
export function parseToolGroups(stored: string | null): string[] | null {
  return stored === null ? null : JSON.parse(stored);
}
