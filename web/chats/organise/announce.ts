/** What was done, for those who do not see it: read out by the region that the organiser keeps for it. */

let said = "";
const listeners = new Set<() => void>();

export function announce(text: string): void {
  // The same words twice are two outcomes; a reader speaks only of what changes.
  said = text === said ? `${text}\u00A0` : text;
  for (const listener of [...listeners]) listener();
}

export function subscribeAnnouncement(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const currentAnnouncement = (): string => said;
