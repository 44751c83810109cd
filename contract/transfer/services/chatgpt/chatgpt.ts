import { convertTree } from "../convert-tree.ts";
import { type ConvertedChat, type Converter, UnreadableChat } from "../foreign-chat.ts";
import { idOf, recordOf, textOf } from "../unknown-values.ts";
import { instructionsOf, readMapping, secondsToMs, toForeignNodes } from "./chatgpt-nodes.ts";

/** Ids of folders in the export format have this length at most. */
const FOLDER_ID_MAX = 64;
const MODEL_MAX = 200;

/** Chats of `conversations.json` of ChatGPT, or of one of its numbered files. */
export const chatgpt: Converter = {
  service: "chatgpt",
  recognises: (chat) => mappingOf(chat) !== undefined,
  convert(value, context) {
    const chat = recordOf(value);
    const mapping = mappingOf(value);
    if (!chat || !mapping) throw new UnreadableChat("not a chat of ChatGPT");
    const nodes = readMapping(mapping, context.fileIdOf);
    const foreign = {
      id: idOf(chat.conversation_id) ?? idOf(chat.id) ?? "",
      title: textOf(chat.title),
      createdAt: secondsToMs(chat.create_time),
      updatedAt: secondsToMs(chat.update_time),
      isPinned: chat.is_starred === true,
      isArchived: chat.is_archived === true,
      folder: folderOf(chat),
      leaf: idOf(chat.current_node),
      nodes: toForeignNodes(nodes),
    };
    const instructions = instructionsOf(nodes);
    const converted = convertTree("chatgpt", foreign, context);
    return { ...withModel(converted, textOf(chat.default_model_slug)), ...(instructions && { instructions }) };
  },
};

/** Returns the nodes of a chat by id; undefined for a value that is none. */
function mappingOf(value: unknown): Record<string, unknown> | undefined {
  const chat = recordOf(value);
  const isChat =
    chat && ["title", "current_node", "create_time", "conversation_id"].some((key) => Object.hasOwn(chat, key));
  return isChat ? recordOf(chat.mapping) : undefined;
}

/** Returns the id of the project of a chat, else of its GPT; null without either. */
function folderOf({ conversation_template_id, gizmo_id }: Record<string, unknown>): string | null {
  const ids = [conversation_template_id, gizmo_id].flatMap((id) => textOf(id) || []);
  const id = ids.find((one) => one.startsWith("g-p-")) ?? ids[0] ?? null;
  return id !== null && id.length <= FOLDER_ID_MAX ? id : null;
}

/** Names the model of the chat for the answers that name none; the nodes of an answer name it only in part. */
function withModel(converted: ConvertedChat, slug: string): ConvertedChat {
  const model = slug.slice(0, MODEL_MAX) || null;
  const messages = converted.chat.messages.map((message) =>
    message.role === "assistant" ? { ...message, model: message.model ?? model } : message,
  );
  return { ...converted, chat: { ...converted.chat, messages } };
}
