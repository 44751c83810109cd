import { storedKeys } from "../../storage/browser-storage.ts";
import { draftPrefix } from "../stored-drafts.ts";

const MARK = "/queue:";

/** Marks a message that the server has refused. */
const REFUSED = "refused-";

/** Returns the draft key of a queued message. `order`: Unix time in ms, by which the keys of a chat sort. */
export const queuedDraftKey = (chat: string, order: number, key: string) => `${chat}${MARK}${order}-${key}`;
/** Returns the draft key of a message that the server has refused. */
export const refusedDraftKey = (chat: string, order: number, key: string) => `${chat}${MARK}${REFUSED}${order}-${key}`;
/** Returns whether the message with a draft key was refused. */
export const isRefusedKey = (draftKey: string) => draftKey.includes(MARK + REFUSED);
/** Returns the order in the draft key of a refused message. */
export const orderOf = (draftKey: string) => Number(draftKey.slice(draftKey.indexOf(MARK)).split("-")[1]);
/** Whether a draft key is that of a queued message. */
export const isQueued = (draftKey: string) => draftKey.includes(MARK);
/** Returns the chat of a queued message. */
export const chatOfQueued = (draftKey: string) => draftKey.slice(0, draftKey.indexOf(MARK));
/** Returns the idempotency key in the draft key of a queued message. */
export const idempotencyKeyOf = (draftKey: string) => draftKey.slice(draftKey.lastIndexOf("-") + 1);
/** Whether messages of an account were queued in this browser and are not sent yet. */
export const hasQueued = (account: string) => storedKeys(draftPrefix(account)).some(isQueued);
