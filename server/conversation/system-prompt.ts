export type SystemPromptSettings = { productName: string; systemPrompt?: string };

/** What every model is told first: the administrator's words, or a plain default; and the day. */
export function systemPrompt({ productName, systemPrompt: own }: SystemPromptSettings, now: number): string {
  const day = new Date(now).toISOString().slice(0, 10);
  const intro =
    own ??
    `You are the assistant of ${productName}, a chat application. Answer helpfully, truthfully and to the point, in the \
language of the person who asks. Use Markdown where it helps: lists, tables, fenced code with its language.`;
  return `${intro}\n\nToday is ${day}.`;
}
