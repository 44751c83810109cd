/** The temporary chat: what is said beside the texts of every conversation. */
export const temporary = {
  title: "Temporary chat",
  notice: "This chat is not saved. It is gone when you leave or reload.",
  notSaved: "Not saved: gone when you leave or reload.",
  keep: "Keep this chat",
  keeping: "Keeping…",
  beginAnew: "New temporary chat",
  kept: "This chat is saved now.",
  undo: "Undo",
  discarded: "The temporary chat is discarded.",
  left: "You left the temporary chat. It is gone when you close or reload this page.",
  lost: "The connection was lost. A temporary answer cannot be picked up again. What had come is still here.",
  failure: "This chat could not be saved. Nothing of it is lost here. Try again in a moment.",
} as const;
