import type { ChatsStore } from "../chats/state/chats-store.ts";

/**
 * Where a chat was left, other than at its end: the message at the top of the view, which part of it (-1: all of it), and
 * how far (px) that stands below the top of the view. Ids and numbers, no words; they go with the sign-out.
 */
export type ScrollPosition = readonly [message: string, part: number, top: number];

/** Where the browser keeps those of an account. */
export const positionsKey = (account: string) => `places:${account}`;

/** The members of a chat session that scrolling needs. `positions`: by chat; null where chats cannot be left and opened again. */
export type ScrollSession = { account: string; store: ChatsStore; positions: Map<string, ScrollPosition> | null };
