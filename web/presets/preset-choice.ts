import { paths } from "#contract/paths.ts";
import { type Api, api } from "../api/client.ts";
import { selectMarkedChat } from "../chats/state/chats-selectors.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import type { ChatsRoot, ChatsStore } from "../chats/state/chats-store.ts";
import { wordFailure } from "../chats/state/word-failure.ts";
import { i18n } from "../locales/i18n.ts";
import type { ModelChoice } from "../models/model-choice.ts";
import { notify } from "../ui/notifications/notify.ts";
import type { PresetList } from "./preset-list.ts";

/** The members of a chat session that presets need. `kept` is null except in the session of a temporary chat. */
export type PresetSession = { store: ChatsStore; presets: PresetList; modelChoice: ModelChoice; kept: object | null };

/** Pending choice of a chat: the latest wanted preset, and the preset that the server has stored. */
type Telling = { wanted: string | null; stored: string | null };

/** Selects the id of the preset chosen in the marked chat; the preset may not exist any more. */
export function selectPresetId(root: ChatsRoot): string | null {
  const chat = selectMarkedChat(root);
  const { conversations, presetOfNew } = root.chats;
  return chat === null ? presetOfNew : (conversations[chat]?.presetId ?? null);
}

const choices = new WeakMap<ChatsStore, PresetChoice>();

/** Returns the preset choice of a session, one for each store. In a temporary chat it sends no requests. */
export function presetChoiceOf({ store, presets, kept }: Omit<PresetSession, "modelChoice">): PresetChoice {
  const known = choices.get(store);
  if (known) return known;
  const choice = new PresetChoice(store, presets, kept ? null : api);
  choices.set(store, choice);
  return choice;
}

/** Stores the preset of a chat as an optimistic update: shown at once, sent, and rolled back on failure. */
export class PresetChoice {
  readonly #list: PresetList;
  readonly #store: ChatsStore;
  readonly #api: Api | null;
  readonly #tellings = new Map<string, Telling>();

  /** `calls`: null if the chat does not exist on the server. */
  constructor(store: ChatsStore, list: PresetList, calls: Api | null) {
    this.#store = store;
    this.#list = list;
    this.#api = calls;
  }

  /** Sets the preset of the marked chat, or of the next new one; null is none. */
  choose(presetId: string | null): void {
    const root = this.#store.getState();
    const chat = selectMarkedChat(root);
    if (chat !== null && !root.chats.conversations[chat]) return;
    const before = selectPresetId(root);
    this.#show(chat, presetId);
    if (chat !== null && this.#api) this.#tell(this.#api, chat, { wanted: presetId, stored: before });
  }

  #show(chat: string | null, presetId: string | null): void {
    this.#store.dispatch(chatEvents.guide({ chat, change: { presetId } }));
  }

  /** Sends one request at a time for a chat, so that the last choice is stored last. */
  #tell(calls: Api, chat: string, telling: Telling): void {
    const earlier = this.#tellings.get(chat);
    if (earlier) {
      earlier.wanted = telling.wanted;
      return;
    }
    this.#tellings.set(chat, telling);
    const work = this.#tellAll(calls, chat, telling).finally(() => {
      this.#tellings.delete(chat);
      this.#list.tellings.delete(work);
    });
    this.#list.tellings.add(work);
  }

  async #tellAll(calls: Api, chat: string, telling: Telling): Promise<void> {
    try {
      while (telling.wanted !== telling.stored) {
        const { wanted } = telling;
        await calls.patch(paths.chat(encodeURIComponent(chat)), { presetId: wanted }, null);
        telling.stored = wanted;
      }
    } catch (cause) {
      this.#show(chat, telling.stored);
      notify("error", wordFailure(cause, i18n.t("presets:menu.failed")));
    }
  }
}
