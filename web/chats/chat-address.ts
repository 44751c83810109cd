/** Returns the address of a chat, or of the welcome screen. `message`: id of a message to show, on any branch. */
export const chatAddress = (chat: string | null, message: string | null = null) =>
  chat === null ? "/chat" : `/chat?${new URLSearchParams({ c: chat, ...(message !== null && { m: message }) })}`;

/** Address of the temporary chat, which has no id. */
export const TEMPORARY_ADDRESS = "/chat?temporary=1";

/** Reads the parameters of the chat page's address. */
export const readChatAddress = (parameters: URLSearchParams) => ({
  chat: parameters.get("c"),
  message: parameters.get("m"),
  isTemporary: parameters.has("temporary"),
});
