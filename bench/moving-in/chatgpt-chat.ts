const PROSE = "Words that a person wrote, of the usual kind, with *Markdown* and `code`.\n\n".repeat(12);

/**
 * Returns a chat as ChatGPT exports it, a line of questions and answers.
 * @param at number of the chat
 * @param messages number of its messages
 * @param picture id of the picture of its first message
 */
export function chatgptChat(at: number, messages: number, picture?: string): object {
  const begunAt = 1_700_000_000 + at * 1000;
  const nodes = Array.from({ length: messages }, (_, index) => {
    const author = { role: index % 2 === 0 ? "user" : "assistant" };
    const text = `${PROSE}${at}/${index}`;
    const content =
      index === 0 && picture !== undefined
        ? { content_type: "multimodal_text", parts: [pictureOf(picture), text] }
        : { content_type: "text", parts: [text] };
    const message = { id: `n${index}`, author, content, create_time: begunAt + index, metadata: {} };
    return [`n${index}`, { parent: index === 0 ? null : `n${index - 1}`, children: [], message }] as const;
  });
  const mapping = Object.fromEntries(nodes);
  const times = { create_time: begunAt, update_time: begunAt + messages };
  return { conversation_id: `c${at}`, title: `Chat ${at}`, ...times, current_node: `n${messages - 1}`, mapping };
}

const pictureOf = (id: string) => ({
  content_type: "image_asset_pointer",
  asset_pointer: `file-service://${id}`,
  width: 1024,
  height: 163,
});
