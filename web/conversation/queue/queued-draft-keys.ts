import { storedKeys } from "../../storage/browser-storage.ts";
import { draftPrefix } from "../stored-drafts.ts";

const MARK = "/queue:";

/** Marks a message that the server has refused. */
const REFUSED = "refused-";

/** Returns the location of a queued message among the drafts of its chat. `order`: Unix time in ms; locations sort by it. */
export const queuedDraftKey = (chat: string, order: number, key: string) => `${chat}${MARK}${order}-${key}`;
/** Returns the location of a message that the server has refused. */
export const refusedDraftKey = (chat: string, order: number, key: string) => `${chat}${MARK}${REFUSED}${order}-${key}`;
/** Returns whether the message at a location was refused. */
export const isRefusedKey = (draftKey: string) => draftKey.includes(MARK + REFUSED);
/** Whether a location of a draft is that of a queued message. */
export const isQueued = (draftKey: string) => draftKey.includes(MARK);
/** Returns the chat of a queued message. */
export const chatOfQueued = (draftKey: string) => draftKey.slice(0, draftKey.indexOf(MARK));
/** Returns the key in the location of a queued message. */
export const idempotencyKeyOf = (draftKey: string) => draftKey.slice(draftKey.lastIndexOf("-") + 1);
/** Whether messages of an account were queued in this browser and are not sent yet. */
export const hasQueued = (account: string) => storedKeys(draftPrefix(account)).some(isQueued);
