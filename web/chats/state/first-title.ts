const TITLE_LENGTH = 60;

/** What a chat is called from its first question until the server names it: the question's beginning, on one line. */
export function firstTitle(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  const characters = [...line];
  return characters.length <= TITLE_LENGTH
    ? line
    : `${characters
        .slice(0, TITLE_LENGTH - 1)
        .join("")
        .trimEnd()}…`;
}
