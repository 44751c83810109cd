import { convertTree } from "../convert-tree.ts";
import {
  type Converter,
  type ForeignChat,
  type ForeignFolder,
  type ForeignNode,
  UnreadableChat,
} from "../foreign-chat.ts";
import { idOf, listOf, recordOf, textOf, timeOfIso } from "../unknown-values.ts";
import { readWords } from "./librechat-content.ts";

type Values = Record<string, unknown>;
type FileIdOf = (key: string) => string;
/** A message of a list or a tree. `parent`: the message in whose `children` it stands, else the one that it names. */
type Listed = { value: unknown; id: string; parent: string | null };

/** The parent of the first messages of a chat. */
const NO_PARENT = "00000000-0000-0000-0000-000000000000";

/** A conversation of LibreChat, one a file; also a chat of the history of Chatbot UI, which LibreChat imports too. */
export const librechat: Converter = {
  service: "librechat",
  recognises: (chat) => isConversation(chat) || isChatbotUi(chat),
  convert(value, context) {
    const chat = recordOf(value);
    const isOwn = isConversation(value);
    if (!chat || !(isOwn || isChatbotUi(value))) throw new UnreadableChat("not a chat of LibreChat");
    const foreign = isOwn ? conversationOf(chat, context.fileIdOf) : chatbotUiOf(chat, context.fileIdOf);
    return convertTree("librechat", foreign, context);
  },
  foldersIn: (value) => (Array.isArray(recordOf(value)?.history) ? listOf(recordOf(value)?.folders) : []).map(folderOf),
};

/** Reads a folder of Chatbot UI, which stands beside its history. */
function folderOf(value: unknown): ForeignFolder {
  const folder = recordOf(value);
  return { id: idOf(folder?.id) ?? "", name: textOf(folder?.name), instructions: "", documents: 0 };
}

function isConversation(value: unknown): boolean {
  const chat = recordOf(value);
  return idOf(chat?.conversationId) !== null && (Array.isArray(chat?.messages) || Array.isArray(chat?.messagesTree));
}

function isChatbotUi(value: unknown): boolean {
  const chat = recordOf(value);
  if (idOf(chat?.id) === null || typeof chat?.name !== "string" || !Array.isArray(chat.messages)) return false;
  const isSaid = (message: unknown) => {
    const said = recordOf(message);
    return typeof said?.role === "string" && "content" in said;
  };
  return chat.messages.some(isSaid) || (chat.messages.length === 0 && "folderId" in chat);
}

function conversationOf(chat: Values, fileIdOf: FileIdOf): ForeignChat {
  const model = textOf(recordOf(chat.options)?.model) || textOf(chat.model) || null;
  const messages = Array.isArray(chat.messagesTree) ? chat.messagesTree : listOf(chat.messages);
  return {
    id: idOf(chat.conversationId) ?? "",
    title: textOf(chat.title),
    createdAt: timeOfIso(chat.createdAt),
    updatedAt: timeOfIso(chat.updatedAt),
    isArchived: chat.isArchived === true,
    leaf: null,
    nodes: listMessages(messages).map((listed) => nodeOf(listed, model, fileIdOf)),
  };
}

/** Returns the messages of a list or a tree, parents before children. */
function listMessages(messages: readonly unknown[]): Listed[] {
  const listed: Listed[] = [];
  const open = messages.map((value): [unknown, string | null] => [value, null]).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, above] = next;
    const message = recordOf(value);
    const id = idOf(message?.messageId) ?? `#${listed.length}`;
    const named = idOf(message?.parentMessageId);
    listed.push({ value, id, parent: above ?? (named === NO_PARENT ? null : named) });
    // Reversed, because the last one is taken first.
    for (const child of listOf(message?.children).toReversed()) open.push([child, id]);
  }
  // A list of which no message names another is a conversation without branches.
  const isChain = listed.every(
    ({ value, parent }) => parent === null && (recordOf(value)?.parentMessageId ?? null) === null,
  );
  return isChain ? listed.map((one, at) => ({ ...one, parent: listed[at - 1]?.id ?? null })) : listed;
}

function nodeOf({ value, id, parent }: Listed, chatModel: string | null, fileIdOf: FileIdOf): ForeignNode {
  const message = recordOf(value) ?? {};
  const { isCreatedByUser, sender } = message;
  const isUser = typeof isCreatedByUser === "boolean" ? isCreatedByUser : textOf(sender).toLowerCase() === "user";
  const { pieces, unreadable } = readWords(message, id, isUser, fileIdOf);
  const hasSpeaker = typeof isCreatedByUser === "boolean" || typeof sender === "string";
  const hasWords = typeof message.text === "string" || Array.isArray(message.content) || pieces.length > 0;
  const reason = hasSpeaker && hasWords ? unreadable : "broken";
  return {
    id,
    parent,
    role: isUser ? "user" : "assistant",
    pieces,
    createdAt: timeOfIso(message.createdAt),
    model: isUser ? null : textOf(message.model) || chatModel,
    ...(reason && { unreadable: reason }),
  };
}

function chatbotUiOf(chat: Values, fileIdOf: FileIdOf): ForeignChat {
  const model = textOf(recordOf(chat.model)?.id) || textOf(chat.model) || null;
  const nodes = listOf(chat.messages).map((value, at): ForeignNode => {
    const message = recordOf(value) ?? {};
    const { role } = message;
    const isUser = role === "user";
    const id = `${at}`;
    const { pieces, unreadable } = readWords(message, id, isUser, fileIdOf);
    const isRead = typeof role === "string" && (typeof message.content === "string" || Array.isArray(message.content));
    const reason = isRead ? unreadable : "broken";
    return {
      id,
      parent: at === 0 ? null : `${at - 1}`,
      role: isUser ? "user" : "assistant",
      pieces,
      createdAt: null,
      model: isUser ? null : model,
      isHidden: role === "system",
      ...(reason && role !== "system" && { unreadable: reason }),
    };
  });
  const id = idOf(chat.id) ?? "";
  return {
    id,
    title: textOf(chat.name),
    createdAt: null,
    updatedAt: null,
    folder: idOf(chat.folderId),
    leaf: null,
    nodes,
  };
}
