/** For tests: exports of ChatGPT. */

type Turn = readonly [question: string, answer: string];
type ChatgptChat = { id: string; title: string; turns?: readonly Turn[]; instructions?: string; at?: number };

/**
 * Returns a chat as ChatGPT exports it: a root without a message, a hidden message of the system, then questions and
 * answers.
 * @param at time of all messages in Unix seconds
 */
export function chatgptChat({ id, title, turns = [[`Question ${id}`, `Answer ${id}`]], ...more }: ChatgptChat) {
  const { instructions, at = 1_700_000_000 } = more;
  const hidden = { is_visually_hidden_from_conversation: true };
  const context = { content_type: "user_editable_context", user_profile: "", user_instructions: instructions };
  const said = [
    { role: "system", content: text(""), metadata: hidden },
    ...(instructions === undefined ? [] : [{ role: "user", content: context, metadata: hidden }]),
    ...turns.flatMap(([question, answer]) => [
      { role: "user", content: text(question), metadata: {} },
      { role: "assistant", content: text(answer), metadata: { model_slug: "gpt-5" } },
    ]),
  ];
  const ids = ["root", ...said.map((_, index) => `${id}-${index}`)];
  const mapping = ids.map((node, index) => {
    const { role, ...rest } = said[index - 1] ?? { role: "" };
    const message = { id: node, author: { role, name: null, metadata: {} }, create_time: at, ...rest };
    return {
      id: node,
      parent: ids[index - 1] ?? null,
      children: ids.slice(index + 1, index + 2),
      message: index === 0 ? null : { ...message, status: "finished_successfully", recipient: "all" },
    };
  });
  return {
    id,
    conversation_id: id,
    title,
    create_time: at,
    update_time: at,
    current_node: ids.at(-1),
    mapping: Object.fromEntries(mapping.map((node) => [node.id, node])),
  };
}

const text = (words: string) => ({ content_type: "text", parts: [words] });
