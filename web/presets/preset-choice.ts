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

/** The members of a chat session that presets need. `kept` is null but in the session of a temporary chat. */
export type PresetSession = { store: ChatsStore; presets: PresetList; modelChoice: ModelChoice; kept: object | null };

/** What is chosen in a chat and not told yet: the newest wish, and what the server has. */
type Telling = { wanted: string | null; stored: string | null };

/** The id of the preset that is chosen in the marked chat, whether there is such a preset or not. */
export function selectPresetId(root: ChatsRoot): string | null {
  const chat = selectMarkedChat(root);
  const { conversations, presetOfNew } = root.chats;
  return chat === null ? presetOfNew : (conversations[chat]?.presetId ?? null);
}

const choices = new WeakMap<ChatsStore, PresetChoice>();

/** The one of a session: what was chosen in it is told one after the other. Of a temporary chat nobody is told. */
export function presetChoiceOf({ store, presets, kept }: Omit<PresetSession, "modelChoice">): PresetChoice {
  const known = choices.get(store);
  if (known) return known;
  const choice = new PresetChoice(store, presets, kept ? null : api);
  choices.set(store, choice);
  return choice;
}

/** Which preset is on in a chat: a choice shows at once, is told, and is taken back where it is refused. */
export class PresetChoice {
  readonly #list: PresetList;
  readonly #store: ChatsStore;
  readonly #api: Api | null;
  readonly #tellings = new Map<string, Telling>();

  /** `calls`: null where the server knows no chat to be told of. */
  constructor(store: ChatsStore, list: PresetList, calls: Api | null) {
    this.#store = store;
    this.#list = list;
    this.#api = calls;
  }

  /** In the marked chat, or in the new one; null is none. */
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

  /** One call at a time for a chat: the last choice is the last to be told. */
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
