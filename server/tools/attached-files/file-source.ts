/** Returns the address of a source in a chat: a path of Parley. A temporary chat has none. */
export const addressOf = (chatId: string | null): string => (chatId === null ? "" : `/chat?c=${chatId}`);
