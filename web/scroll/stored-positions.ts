import { readStoredJson, writeStorage } from "../storage/browser-storage.ts";
import { placesKey, type ReadingPlace, type ScrollSession } from "./scroll-position.ts";

/** So many chats are remembered. */
const MOST = 200;

type Places = Map<string, ReadingPlace>;
type Session = Pick<ScrollSession, "account" | "places">;

const read = new WeakSet<Places>();

/** Those of a session, with what earlier pages have stored; none of a chat that cannot be left. */
function placesOf({ account, places }: Session): Places | null {
  if (!places || read.has(places)) return places;
  read.add(places);
  for (const [chat, place] of readStored(placesKey(account))) places.set(chat, place);
  return places;
}

/** Where a chat was left; undefined: at its end. */
export const findPlace = (session: Session, chat: string): ReadingPlace | undefined => placesOf(session)?.get(chat);

/** Null: it was left at its end. */
export function setPlace(session: Session, chat: string, place: ReadingPlace | null): void {
  const places = placesOf(session);
  places?.delete(chat);
  if (place) places?.set(chat, place);
  for (const oldest of places?.keys() ?? []) {
    if (!places || places.size <= MOST) return;
    places.delete(oldest);
  }
}

/** So that they are there when the page comes again. */
export function storePlaces(session: Session): void {
  const places = placesOf(session);
  if (!places) return;
  // Where that fails, chats open at their ends.
  writeStorage(placesKey(session.account), places.size === 0 ? null : JSON.stringify([...places]));
}

function readStored(key: string): [string, ReadingPlace][] {
  const stored = readStoredJson(key);
  return Array.isArray(stored) ? stored.filter(isEntry) : [];
}

function isEntry(entry: unknown): entry is [string, ReadingPlace] {
  if (!Array.isArray(entry) || !Array.isArray(entry[1])) return false;
  const [message, ...numbers]: unknown[] = entry[1];
  const ids = [entry[0], message];
  return ids.every((id) => typeof id === "string") && numbers.length === 2 && numbers.every(Number.isFinite);
}
