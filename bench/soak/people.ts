import { setTimeout } from "node:timers/promises";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import type { MeasuredParley } from "../harness/parley.ts";

const PAUSE_MS = 500;
const REPLIES_PER_CHAT = 10;

/** `done`: number of replies that were read to their end. */
export type Use = { done: number };

/**
 * Simulates one user until the signal aborts: opens a chat, sends questions, reads each reply to its end, and in
 * between reads the history, the chat and a search. Each reply is also requested from the yardstick.
 */
export async function useAsPerson(
  parley: MeasuredParley,
  pipeUrl: string,
  token: string,
  use: Use,
  signal: AbortSignal,
): Promise<void> {
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(parley.url + API_BASE + path, {
      method,
      // A keep-alive connection would count as an object that is not freed.
      headers: {
        authorization: `Bearer ${token}`,
        connection: "close",
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text;
  };
  // A random start, so that the users are not synchronised.
  await setTimeout(Math.random() * PAUSE_MS);
  while (!signal.aborted) {
    const { id } = JSON.parse(await call("POST", conversationPaths.chats, {})) as { id: string };
    for (let sent = 0; sent < REPLIES_PER_CHAT && !signal.aborted; sent++) {
      await call("POST", `${conversationPaths.chatSend(id)}?stream=1`, {
        message: `Question ${sent}`,
        model: "GPT:gpt-5",
      });
      await fetch(pipeUrl, { method: "POST", headers: { connection: "close" }, body: "{}" }).then((response) =>
        response.text(),
      );
      use.done++;
      await call("GET", conversationPaths.chatHistory);
      await call("GET", conversationPaths.chat(id));
      if (sent === 0) await call("GET", `${conversationPaths.search}?q=question`);
      await setTimeout(PAUSE_MS * (0.5 + Math.random()));
    }
  }
}
