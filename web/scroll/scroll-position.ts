import type { ChatsStore } from "../chats/state/chats-store.ts";

/**
 * Scroll position of a chat that was not left at its end: the message at the top of the view, the index of its block
 * there (-1: the whole message), and its offset (px) below the top of the view. Has ids and numbers only, no text;
 * removed at logout.
 */
export type ScrollPosition = readonly [message: string, part: number, top: number];

/** Key of the positions of an account in local storage. */
export const positionsKey = (account: string) => `places:${account}`;

/**
 * The members of a chat session that scrolling needs. `positions`: by chat; null if chats cannot be left and reopened.
 */
export type ScrollSession = { account: string; store: ChatsStore; positions: Map<string, ScrollPosition> | null };
