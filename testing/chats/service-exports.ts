/** Small exports of other services. */

/** A chat of ChatGPT with a question, which names a file if it is given the file's id, and an answer. */
export function chatgptChat(
  id: string,
  { answer = "An inlet.", file }: { answer?: string; file?: string } = {},
): object {
  const message = (role: string, parts: unknown[]) => ({
    author: { role, name: null },
    content: { content_type: file !== undefined && role === "user" ? "multimodal_text" : "text", parts },
    create_time: 1_700_000_001,
    metadata: {},
  });
  const picture = { content_type: "image_asset_pointer", asset_pointer: `file-service://${file}`, size_bytes: 9 };
  const question = file === undefined ? ["What is a fjord?"] : [picture, "What is a fjord?"];
  return {
    ...{
      conversation_id: id,
      title: "Fjords",
      create_time: 1_700_000_000,
      update_time: 1_700_000_100,
      current_node: "a",
    },
    mapping: {
      root: { parent: null, children: ["q"], message: null },
      q: { parent: "root", children: ["a"], message: message("user", question) },
      a: { parent: "q", children: [], message: message("assistant", [answer]) },
    },
  };
}

/** ChatGPT's node of a person's custom instructions, added to a chat. */
export function withInstructions(chat: object, instructions: string): object {
  const content = { content_type: "user_editable_context", user_profile: "", user_instructions: instructions };
  const node = {
    parent: "root",
    children: [],
    message: {
      author: { role: "user", name: null },
      content,
      metadata: { is_visually_hidden_from_conversation: true },
    },
  };
  const { mapping } = chat as { mapping: object };
  return { ...chat, mapping: { ...mapping, c: node } };
}

/** A chat of each service, as its export has it. */
export const serviceChats = {
  chatgpt: [chatgptChat("67f0-a")],
  claude: [
    {
      ...{ uuid: "l", name: "Fjords", created_at: "2024-01-01T00:00:00Z", updated_at: "2024-01-02T00:00:00Z" },
      chat_messages: [
        { uuid: "1", sender: "human", text: "What is a fjord?", created_at: "2024-01-01T00:00:00Z" },
        {
          ...{ uuid: "2", sender: "assistant", created_at: "2024-01-01T00:00:01Z" },
          content: [{ type: "text", text: "An inlet." }],
        },
      ],
    },
  ],
  "open-webui": [
    {
      ...{ id: "w", title: "Fjords", created_at: 1_700_000_000, updated_at: 1_700_000_100 },
      chat: {
        history: {
          currentId: "2",
          messages: {
            1: {
              id: "1",
              parentId: null,
              childrenIds: ["2"],
              role: "user",
              content: "What?",
              timestamp: 1_700_000_000,
            },
            2: { id: "2", parentId: "1", childrenIds: [], role: "assistant", content: "An inlet.", model: "llama3" },
          },
        },
      },
    },
  ],
  librechat: {
    ...{ conversationId: "b", title: "Fjords", endpoint: "openAI" },
    messages: [
      { messageId: "1", parentMessageId: null, text: "What is a fjord?", sender: "User", isCreatedByUser: true },
      { messageId: "2", parentMessageId: "1", text: "An inlet.", sender: "GPT", isCreatedByUser: false },
    ],
  },
} as const;
