import { conversationPaths } from "#contract/conversation/paths.ts";
import type { Api, OpenInit } from "../api/client.ts";
import type { PageVisibility } from "../api/page-visibility.ts";
import { JoinedReply } from "./joined-reply.ts";
import { type JoinReply, openReply, type ReplyPosition } from "./open-reply.ts";
import type { ReplySlots } from "./reply-slots.ts";
import { askWithSlot, holdSlot, isOpenStream } from "./slotted-response.ts";

/** `api`: each send takes a slot. `pollReply`: polls the reply of a changed chat now. */
export type SlottedApi = { api: Api; join: JoinReply; pollReply: (chat: string) => void };

/**
 * Limits concurrent reply streams, so that all tabs together leave some of the browser's connections free. A reply
 * without a stream is polled from its chat.
 */
export function slottedApi(api: Api, slots: ReplySlots, page: PageVisibility): SlottedApi {
  const joined = new Set<JoinedReply>();
  /** Paths of chats whose reply has lost its slot; it must not take the slot back at once. */
  const lostSlots = new Set<string>();

  async function open(path: string, init: OpenInit = {}): Promise<Response> {
    const isSend = init.method === "POST" && init.headers?.accept?.includes("text/event-stream");
    const chat = isSend ? chatPathOf(path) : null;
    return chat === null ? api.open(path, init) : begin(path, chat, init);
  }

  /**
   * Sends a message. An accepted send gets a slot in any case, because the user of this tab waits for it. A slot is
   * stolen only after acceptance: refused sends, which are retried, must not take connections from other replies.
   */
  async function begin(path: string, chat: string, init: OpenInit): Promise<Response> {
    lostSlots.delete(chat);
    const free = await slots.tryTake();
    const ask = () => api.open(path, init);
    const response = await (free ? askWithSlot(free, ask) : ask());
    if (!isOpenStream(response)) return response;
    const slot = free ?? (await slots.take());
    slot.lost.addEventListener("abort", () => lostSlots.add(chat));
    return free ? response : holdSlot(slot, response);
  }

  async function join(position: ReplyPosition, signal: AbortSignal): Promise<Response | JoinedReply> {
    const chat = pathOf(position.chat);
    const slot = lostSlots.has(chat) ? null : await (page.isVisible() ? slots.take() : slots.tryTake());
    const response = slot && (await askWithSlot(slot, () => openReply(api, position, signal)));
    if (response && !isOpenStream(response)) return response;
    const onEnd = (isOver: boolean) => {
      joined.delete(reply);
      if (isOver) lostSlots.add(chat);
    };
    const reply = new JoinedReply({ api, slots, page, position, signal, onEnd });
    if (slot && response) reply.beginWith({ slot, response });
    else {
      const isRunning = await reply.poll();
      // After a failed poll the next attempt must not take the slot back either.
      lostSlots.delete(chat);
      if (!isRunning) return openReply(api, position, signal);
    }
    joined.add(reply);
    return reply;
  }

  return {
    api: { ...api, open },
    join,
    pollReply(chat) {
      for (const reply of joined) if (reply.chat === chat) reply.pollNow();
    },
  };
}

const pathOf = (chat: string) => conversationPaths.chat(encodeURIComponent(chat));
const chatPathOf = (path: string) => /^\/chat\/[^/?]+(?=\/)/.exec(path)?.[0] ?? null;
