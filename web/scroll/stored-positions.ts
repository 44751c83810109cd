import { readStoredJson, writeStorage } from "../storage/browser-storage.ts";
import { positionsKey, type ScrollPosition, type ScrollSession } from "./scroll-position.ts";

/** Maximum number of chats. */
const MOST = 200;

type Positions = Map<string, ScrollPosition>;
type Session = Pick<ScrollSession, "account" | "positions">;

const read = new WeakSet<Positions>();

/**
 * Returns the positions of a session, with those that earlier pages have stored; null for a chat that cannot be left.
 */
function positionsOf({ account, positions }: Session): Positions | null {
  if (!positions || read.has(positions)) return positions;
  read.add(positions);
  for (const [chat, position] of readStored(positionsKey(account))) positions.set(chat, position);
  return positions;
}

/** Returns the position at which a chat was left; undefined for its end. */
export const findPosition = (session: Session, chat: string): ScrollPosition | undefined =>
  positionsOf(session)?.get(chat);

/** Sets the position of a chat; null if it was left at its end. */
export function setPosition(session: Session, chat: string, position: ScrollPosition | null): void {
  const positions = positionsOf(session);
  positions?.delete(chat);
  if (position) positions?.set(chat, position);
  for (const oldest of positions?.keys() ?? []) {
    if (!positions || positions.size <= MOST) return;
    positions.delete(oldest);
  }
}

/** Stores the positions for the next page load. */
export function storePositions(session: Session): void {
  const positions = positionsOf(session);
  if (!positions) return;
  // If this fails, chats open at their ends.
  writeStorage(positionsKey(session.account), positions.size === 0 ? null : JSON.stringify([...positions]));
}

function readStored(key: string): [string, ScrollPosition][] {
  const stored = readStoredJson(key);
  return Array.isArray(stored) ? stored.filter(isEntry) : [];
}

function isEntry(entry: unknown): entry is [string, ScrollPosition] {
  if (!Array.isArray(entry) || !Array.isArray(entry[1])) return false;
  const [message, ...numbers]: unknown[] = entry[1];
  const ids = [entry[0], message];
  return ids.every((id) => typeof id === "string") && numbers.length === 2 && numbers.every(Number.isFinite);
}
