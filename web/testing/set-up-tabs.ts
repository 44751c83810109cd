/** For the tests of limited reply streams: tabs of one browser, and a server that each test scripts. */

import { vi } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import { type Api, ApiError, type ApiOptions } from "../api/client.ts";
import type { ReplyPosition, ReplySource } from "../reply/open-reply.ts";
import { ReplySlots } from "../reply/reply-slots.ts";
import { type ReplyItem, readReply } from "../reply/reply-stream.ts";
import { slottedApi } from "../reply/slotted-api.ts";
import { FakeBrowser, FakePage, heldBody } from "./fakes/fake-tabs.ts";
import { unreachable } from "./replies-set-up.ts";

const EVENT_STREAM = { accept: "text/event-stream, application/json" };
export const SEND = { method: "POST", headers: EVENT_STREAM, body: "{}" };

/** Returns a browser whose tabs use one server; the test writes its responses. Needs fake timers. */
export function setUpTabs() {
  const browser = new FakeBrowser();
  const connections: (ReturnType<typeof heldBody> & { path: string })[] = [];
  const state = {
    content: "",
    state: "writing" as Message["state"],
    seams: [] as number[],
    isThere: true,
    isUnreachable: false,
    isSilent: false,
    reads: 0,
  };
  const answers: Response[] = [];
  const api = {
    async open(path: string) {
      const answer = answers.shift();
      if (answer) return answer;
      if (state.isUnreachable) throw unreachable();
      const connection = { ...heldBody(), path };
      connections.push(connection);
      return connection.response();
    },
    async get(path: string, _schema: unknown, { signal }: ApiOptions = {}) {
      state.reads += 1;
      if (state.isUnreachable) throw unreachable();
      if (state.isSilent)
        await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      if (!state.isThere) throw new ApiError(404, "No", { code: "not-found" });
      const { content, seams } = state;
      const role = "assistant" as const;
      const reply = { id: "r", role, content, state: state.state, parent: null, model: null, createdAt: 1, seams };
      return { id: path.split("/").at(-1), title: "T", updatedAt: 1, messages: [reply] };
    },
  } as unknown as Api;
  const openTab = () => {
    const page = new FakePage();
    return { page, ...slottedApi(api, new ReplySlots(browser.tools(), page), page) };
  };
  /** Collects all items of a source. */
  const readAll = (source: ReplySource) => {
    const received: ReplyItem[] = [];
    const read = { received, isOver: false };
    void (async () => {
      for await (const together of source instanceof Response ? readReply(source) : source.read({})) {
        received.push(...together);
      }
      read.isOver = true;
    })();
    return read;
  };
  const finish = async <T>(work: Promise<T>): Promise<T> => {
    await vi.advanceTimersByTimeAsync(200);
    return work;
  };
  /** Follows three replies, so that no slot is left. */
  const takeAll = async () => {
    const busy = openTab();
    const opened = [1, 2, 3].map((chat) => busy.api.open(`/chat/${chat}/send?stream=1`, SEND));
    return (await finish(Promise.all(opened))).map(readAll);
  };
  return { connections, state, answers, openTab, readAll, finish, takeAll };
}

/** Returns the text of the tokens. */
export const words = (received: ReplyItem[]) =>
  received.map((item) => (item.type === "token" ? item.text : "")).join("");
export const POSITION: ReplyPosition = { chat: "a", reply: "r", received: 2, run: null };
