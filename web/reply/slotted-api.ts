import { paths } from "#contract/paths.ts";
import type { api as client, OpenInit } from "../api/client.ts";
import type { PageVisibility } from "../api/page-visibility.ts";
import { JoinedReply } from "./joined-reply.ts";
import type { ReplySlots, Slot } from "./reply-slots.ts";

type Api = typeof client;

/** An API whose replies take a slot each. `nudge`: a chat has changed, look at its reply now. */
export type SlottedApi = { api: Api; nudge: (chat: string) => void };

/**
 * The same API, of which only so many replies at once have a connection of their own, so that all tabs together leave
 * some of the browser's few connections free. A reply without one is read from its chat every now and then; who follows
 * it sees a stream in any case.
 */
export function slottedApi(api: Api, slots: ReplySlots, page: PageVisibility): SlottedApi {
  const joined = new Set<JoinedReply>();
  /** Paths of chats whose reply has lost its slot: they must not take it back at once. */
  const robbed = new Set<string>();

  async function open(path: string, init: OpenInit = {}): Promise<Response> {
    const chat = init.headers?.accept?.includes("text/event-stream") ? chatPathOf(path) : null;
    if (chat === null) return api.open(path, init);
    const resumed = init.method === undefined ? resumedOf(path) : null;
    return resumed ? join({ path, chat, ...resumed }, init) : begin(path, chat, init);
  }

  /**
   * The person in front of this tab wants it now: a send that is taken gets a slot in any case. Not before that: one that
   * the server refuses, again and again perhaps, must not cost another reply its connection.
   */
  async function begin(path: string, chat: string, init: OpenInit): Promise<Response> {
    robbed.delete(chat);
    const free = await slots.tryTake();
    const response = await (free ? openWith(free, path, init) : api.open(path, init));
    if (response.status !== 200 || !isEventStream(response)) {
      free?.release();
      return response;
    }
    const slot = free ?? (await slots.take());
    slot.lost.addEventListener("abort", () => robbed.add(chat));
    return new Response(holding(slot, response), { headers: response.headers });
  }

  async function join(place: Place, init: OpenInit): Promise<Response> {
    const { chat } = place;
    const slot = robbed.delete(chat) ? null : await (page.isVisible() ? slots.take() : slots.tryTake());
    const response = slot && (await openWith(slot, place.path, init));
    if (response && (response.status !== 200 || !isEventStream(response))) {
      slot?.release();
      return response;
    }
    const onEnd = (isOver: boolean) => {
      joined.delete(reply);
      if (isOver) robbed.add(chat);
    };
    const reply = new JoinedReply({ api, slots, page, ...place, signal: init.signal, onEnd });
    if (!response && !(await reply.look())) return api.open(place.path, init);
    joined.add(reply);
    return new Response(reply.stream(slot && response ? { slot, response } : null), {
      headers: { "content-type": "text/event-stream" },
    });
  }

  async function openWith(slot: Slot, path: string, init: OpenInit): Promise<Response> {
    try {
      return await api.open(path, init);
    } catch (cause) {
      slot.release();
      throw cause;
    }
  }

  return {
    api: { ...api, open },
    nudge(chat) {
      const path = paths.chat(encodeURIComponent(chat));
      for (const reply of joined) if (reply.chat === path) reply.nudge();
    },
  };
}

type Resumed = { reply: string; from: number; run: number | null };
type Place = { path: string; chat: string } & Resumed;

const chatPathOf = (path: string) => /^\/chat\/[^/?]+(?=\/)/.exec(path)?.[0] ?? null;

function resumedOf(path: string): Resumed | null {
  const query = new URLSearchParams(path.split("?")[1]);
  const reply = query.get("reply");
  const run = query.get("run");
  return reply === null
    ? null
    : { reply, from: Number(query.get("from") ?? 0), run: run === null ? null : Number(run) };
}

const isEventStream = (response: Response) =>
  response.body !== null && (response.headers.get("content-type") ?? "").startsWith("text/event-stream");

/** The body as it comes. It ends with the slot, though not before it has said which reply it is of. */
function holding(slot: Slot, response: Response): ReadableStream<Uint8Array> | null {
  const reader = response.body?.getReader();
  if (!reader) return null;
  let hasBegun = false;
  const leave = () => void (hasBegun && reader.cancel().catch(() => {}));
  slot.lost.addEventListener("abort", leave);
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          slot.release();
          controller.close();
          return;
        }
        controller.enqueue(value);
        hasBegun = true;
        if (slot.lost.aborted) leave();
      } catch (cause) {
        slot.release();
        controller.error(cause);
      }
    },
    async cancel(reason) {
      slot.release();
      await reader.cancel(reason);
    },
  });
}
