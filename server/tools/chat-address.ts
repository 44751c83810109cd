/** Returns the path in Parley of a chat, or of a message of it; empty for a temporary chat (null), which has none. */
export function chatAddress(chatId: string | null, messageId: string | null = null): string {
  if (chatId === null) return "";
  return `/chat?c=${chatId}${messageId === null ? "" : `&m=${messageId}`}`;
}
