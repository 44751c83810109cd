import { currentAppearance } from "../../ui/appearance/appearance.ts";
import type { MessageMemory } from "../message-context.ts";

/** What a reader has done with the reasoning of some chats. In memory: another page load begins folded. */
type Remembered = {
  /** Whether the reader has opened (true) or folded the reasoning, by the keys of message and part. */
  choices: Map<string, boolean>;
  /** Chats in which the reader's last choice was to open reasoning. */
  openIn: Set<string>;
  /** Unix times in ms at which this page first showed a reasoning, by the same keys. */
  begun: Map<string, number>;
  /** Keys of the reasoning that was opened while it grew: its height stays limited. */
  limited: Set<string>;
  /** Key of the reasoning whose button has the focus. */
  focused: string | null;
};

const remembered = {
  create: (): Remembered => ({
    choices: new Map(),
    openIn: new Set(),
    begun: new Map(),
    limited: new Set(),
    focused: null,
  }),
};

export type ReasoningLocation = { memory: MessageMemory; chat: string; key: string };

/** Returns whether a reasoning is shown open: as the reader left it; one that grows, as the setting and the chat say. */
export function isReasoningOpen({ memory, chat, key }: ReasoningLocation, isGrowing: boolean): boolean {
  const { choices, openIn, limited } = memory.get(remembered);
  const chosen = choices.get(key);
  if (chosen !== undefined || !isGrowing) return chosen ?? false;
  const isOpen = openIn.has(chat) && currentAppearance().reasoning !== "collapse";
  // It stays open when the reply ends, also if the list renders it again.
  if (isOpen) {
    choices.set(key, true);
    limited.add(key);
  }
  return isOpen;
}

export function rememberReasoning({ memory, chat, key }: ReasoningLocation, isOpen: boolean): void {
  const { choices, openIn } = memory.get(remembered);
  choices.set(key, isOpen);
  if (isOpen) openIn.add(chat);
  else openIn.delete(chat);
}

/** Returns whether the height of a reasoning is limited: it was opened while it grew. */
export const isReasoningLimited = ({ memory, key }: ReasoningLocation) => memory.get(remembered).limited.has(key);

export function limitReasoning({ memory, key }: ReasoningLocation, isLimited: boolean): void {
  const { limited } = memory.get(remembered);
  if (isLimited) limited.add(key);
  else limited.delete(key);
}

/** Remembers the focus: words that follow the reasoning in its block mount it anew above it, which loses the focus. */
export function noteReasoningFocus({ memory, key }: ReasoningLocation, hasFocus: boolean): void {
  memory.get(remembered).focused = hasFocus ? key : null;
}

/** Returns whether a reasoning that is mounted had the focus before. */
export const hadReasoningFocus = ({ memory, key }: ReasoningLocation) =>
  memory.get(remembered).focused === key && document.activeElement === document.body;

/** Returns when a growing reasoning began (Unix time in ms): its message's time, if that is known and not ahead. */
export function reasoningBegan({ memory, key }: ReasoningLocation, createdAt: number | undefined): number {
  const { begun } = memory.get(remembered);
  const now = Date.now();
  const at = begun.get(key) ?? Math.min(createdAt ?? now, now);
  begun.set(key, at);
  return at;
}
