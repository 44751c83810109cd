import { conversationPaths } from "#contract/conversation/paths.ts";
import type { Effort } from "#contract/models/effort.ts";
import { type Api, api } from "../api/client.ts";
import { selectMarkedChat } from "../chats/state/chats-selectors.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import type { Guidance } from "../chats/state/chats-state.ts";
import type { ChatsRoot, ChatsStore } from "../chats/state/chats-store.ts";
import { wordFailure } from "../chats/state/word-failure.ts";
import { i18n } from "../locales/i18n.ts";
import type { ModelChoice } from "../models/model-choice.ts";
import { notify } from "../ui/notifications/notify.ts";
import type { PresetList } from "./preset-list.ts";

/** The members of a chat session that presets need. `storedSession` is null except in the session of a temporary chat. */
export type PresetSession = {
  store: ChatsStore;
  presets: PresetList;
  modelChoice: ModelChoice;
  storedSession: { store: ChatsStore } | null;
};

/** A pending request of a chat. `wanted`: the latest choice; `stored`: the guidance that the server has stored. */
type PendingGuidance = { wanted: Guidance; stored: Guidance };

/** Selects the id of the preset chosen in the marked chat; the preset may not exist any more. */
export const selectPresetId = (root: ChatsRoot): string | null => guidanceOf(root)?.presetId ?? null;

/** Selects the effort chosen in the marked chat; null is that of its preset, else the model's default. */
export const selectEffort = (root: ChatsRoot): Effort | null => guidanceOf(root)?.effort ?? null;

/** Selects the groups of tools chosen in the marked chat; null are those of its preset, else none. */
export const selectTools = (root: ChatsRoot): string[] | null => guidanceOf(root)?.tools ?? null;

function guidanceOf(root: ChatsRoot): Partial<Guidance> | undefined {
  const chat = selectMarkedChat(root);
  const { conversations, guidanceOfNew } = root.chats;
  return chat === null ? guidanceOfNew : conversations[chat];
}

const choices = new WeakMap<ChatsStore, PresetChoice>();

/** Returns the preset choice of a session, one for each store. In a temporary chat it sends no requests. */
export function presetChoiceOf({ store, presets, storedSession }: Omit<PresetSession, "modelChoice">): PresetChoice {
  const known = choices.get(store);
  if (known) return known;
  const choice = new PresetChoice(store, presets, storedSession ? null : api);
  choices.set(store, choice);
  return choice;
}

/** Stores preset, effort and tools of a chat as an optimistic update: shown at once, sent, and rolled back on failure. */
export class PresetChoice {
  readonly #list: PresetList;
  readonly #store: ChatsStore;
  readonly #api: Api | null;
  readonly #pending = new Map<string, PendingGuidance>();

  /** `calls`: null if the chat does not exist on the server. */
  constructor(store: ChatsStore, list: PresetList, calls: Api | null) {
    this.#store = store;
    this.#list = list;
    this.#api = calls;
  }

  /** Sets the preset of the marked chat, or of the next new one; null is none. */
  choose(presetId: string | null): void {
    this.change({ presetId });
  }

  /** Changes the guidance of the marked chat, or of the next new one. */
  change(change: Partial<Guidance>): void {
    const root = this.#store.getState();
    const chat = selectMarkedChat(root);
    if (chat !== null && !root.chats.conversations[chat]) return;
    const stored = { presetId: selectPresetId(root), effort: selectEffort(root), tools: selectTools(root) };
    this.#show(chat, change);
    if (chat !== null && this.#api) this.#send(this.#api, chat, { wanted: { ...stored, ...change }, stored });
  }

  #show(chat: string | null, change: Partial<Guidance>): void {
    this.#store.dispatch(chatEvents.guide({ chat, change }));
  }

  /** Sends one request at a time for a chat, so that the last choice is stored last. */
  #send(calls: Api, chat: string, pending: PendingGuidance): void {
    const earlier = this.#pending.get(chat);
    if (earlier) {
      earlier.wanted = pending.wanted;
      return;
    }
    this.#pending.set(chat, pending);
    const work = this.#sendAll(calls, chat, pending).finally(() => {
      this.#pending.delete(chat);
      this.#list.pendingRequests.delete(work);
    });
    this.#list.pendingRequests.add(work);
  }

  async #sendAll(calls: Api, chat: string, pending: PendingGuidance): Promise<void> {
    try {
      for (;;) {
        const { wanted } = pending;
        const change = changeOf(pending);
        if (Object.keys(change).length === 0) return;
        await calls.patch(conversationPaths.chat(encodeURIComponent(chat)), change, null);
        pending.stored = wanted;
      }
    } catch (cause) {
      this.#show(chat, pending.stored);
      notify("error", wordFailure(cause, i18n.t(failureOf(changeOf(pending)))));
    }
  }
}

/** Returns the fields that the server has not stored yet. */
function changeOf({ wanted, stored }: PendingGuidance): Partial<Guidance> {
  return {
    ...(wanted.presetId !== stored.presetId && { presetId: wanted.presetId }),
    ...(wanted.effort !== stored.effort && { effort: wanted.effort }),
    ...(wanted.tools !== stored.tools && { tools: wanted.tools }),
  };
}

function failureOf(change: Partial<Guidance>) {
  if ("presetId" in change) return "presets:menu.failed";
  return "effort" in change ? "presets:effort.failed" : "presets:tools.failed";
}
