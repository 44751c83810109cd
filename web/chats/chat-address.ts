/** Returns the address of a chat, or of the welcome screen. `message`: id of a message to show, on any branch. */
export const chatAddress = (chat: string | null, message: string | null = null) =>
  chat === null ? "/chat" : `/chat?${new URLSearchParams({ c: chat, ...(message !== null && { m: message }) })}`;

/** State of a navigation to the message of a search hit, with the query that found it. It is no part of the address. */
export const foundBy = (query: string) => ({ foundBy: query });

/** Reads the query of a navigation's state; null if it leads to no search hit. */
export function readFoundBy(state: unknown): string | null {
  const isHit = typeof state === "object" && state !== null && "foundBy" in state;
  return isHit && typeof state.foundBy === "string" ? state.foundBy : null;
}

/** Address of the temporary chat, which has no id. */
export const TEMPORARY_ADDRESS = "/chat?temporary=1";

/** Reads the parameters of the chat page's address. */
export const readChatAddress = (parameters: URLSearchParams) => ({
  chat: parameters.get("c"),
  message: parameters.get("m"),
  isTemporary: parameters.has("temporary"),
});
