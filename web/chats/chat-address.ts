/** `message`: one that is to be shown, on whichever branch it is. */
export const chatAddress = (chat: string | null, message: string | null = null) =>
  chat === null ? "/chat" : `/chat?${new URLSearchParams({ c: chat, ...(message !== null && { m: message }) })}`;

/** The temporary chat has no id that an address could tell. */
export const TEMPORARY_ADDRESS = "/chat?temporary=1";

/** What the page of the chats is asked for by its address. */
export const readChatAddress = (parameters: URLSearchParams) => ({
  chat: parameters.get("c"),
  message: parameters.get("m"),
  isTemporary: parameters.has("temporary"),
});
