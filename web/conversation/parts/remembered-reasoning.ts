import { currentAppearance } from "../../ui/appearance/appearance.ts";
import type { ChatSession } from "../chat-session.ts";

/** What a reader has done with the reasoning of one session's chats. In memory: another page load begins folded. */
type Remembered = {
  /** Whether the reader has opened (true) or folded the reasoning, by the keys of message and part. */
  choices: Map<string, boolean>;
  /** Chats in which the reader's last choice was to open reasoning. */
  openIn: Set<string>;
  /** Unix times in ms at which this page first showed a reasoning, by the same keys. */
  begun: Map<string, number>;
};

const sessions = new WeakMap<ChatSession, Remembered>();

function rememberedOf(session: ChatSession): Remembered {
  const known = sessions.get(session);
  if (known) return known;
  const none: Remembered = { choices: new Map(), openIn: new Set(), begun: new Map() };
  sessions.set(session, none);
  return none;
}

export type ReasoningPlace = { session: ChatSession; chat: string; key: string };

/** Returns whether a reasoning is shown open: as the reader left it; one that grows, as the setting and the chat say. */
export function isReasoningOpen({ session, chat, key }: ReasoningPlace, isGrowing: boolean): boolean {
  const { choices, openIn } = rememberedOf(session);
  const chosen = choices.get(key);
  if (chosen !== undefined || !isGrowing) return chosen ?? false;
  const isOpen = openIn.has(chat) && currentAppearance().reasoning !== "collapse";
  // It stays open when the reply ends, also if the list renders it again.
  if (isOpen) choices.set(key, true);
  return isOpen;
}

export function rememberReasoning({ session, chat, key }: ReasoningPlace, isOpen: boolean): void {
  const { choices, openIn } = rememberedOf(session);
  choices.set(key, isOpen);
  if (isOpen) openIn.add(chat);
  else openIn.delete(chat);
}

/** Returns when a growing reasoning began (Unix time in ms): its message's time, if that is known and not ahead. */
export function reasoningBegan({ session, key }: ReasoningPlace, createdAt: number | undefined): number {
  const { begun } = rememberedOf(session);
  const now = Date.now();
  const at = begun.get(key) ?? Math.min(createdAt ?? now, now);
  begun.set(key, at);
  return at;
}
