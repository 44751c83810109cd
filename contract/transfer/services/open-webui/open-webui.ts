import { convertTree } from "../convert-tree.ts";
import {
  type ConversionContext,
  type Converter,
  type ForeignChat,
  type ForeignNode,
  UnreadableChat,
} from "../foreign-chat.ts";
import { brokenNode, idTextOf, newestOf } from "../foreign-nodes.ts";
import { listOf, numberOf, recordOf, textOf } from "../unknown-values.ts";
import { OpenWebuiMessage } from "./open-webui-content.ts";

type Fields = Record<string, unknown>;
/** A message with its key and that of its parent, before it is read. */
type Entry = { id: string; parent: string | null; value: unknown };

/** Times below are in seconds, above in ms: both occur. As ms it is a day of 1973. */
const SECONDS_MAX = 1e11;

/**
 * Converts the chats of an export of Open WebUI (0.3 to 0.8): `{id, title, chat, …}`, or only `chat`, as early versions
 * and "Download" write it. Messages are a tree in `history`, or a line in `messages`. Prompts of the system are hidden.
 */
export const openWebui: Converter = {
  service: "open-webui",
  recognises: (chat) => bodyOf(chat) !== undefined,
  convert(chat, context) {
    const body = bodyOf(chat);
    if (!body) throw new UnreadableChat();
    return convertTree("open-webui", foreignChatOf(recordOf(chat) ?? {}, body, context), context);
  },
};

/** Returns what a chat consists of; undefined for another value. */
function bodyOf(chat: unknown): Fields | undefined {
  const record = recordOf(chat);
  const inner = recordOf(record?.chat);
  if (inner) return recordOf(inner.history) || Array.isArray(inner.messages) ? inner : undefined;
  const isTree = recordOf(recordOf(record?.history)?.messages) !== undefined;
  const isLine = listOf(record?.messages).some((message) => {
    const fields = recordOf(message) ?? {};
    return typeof fields.role === "string" && ("childrenIds" in fields || "parentId" in fields);
  });
  return isTree || isLine ? record : undefined;
}

function foreignChatOf(record: Fields, body: Fields, context: ConversionContext): ForeignChat {
  const id = idTextOf(record.id) || idTextOf(body.id);
  const title = textOf(record.title) || textOf(body.title);
  const entries = entriesOf(body);
  const key = id || `${title}/${String(numberOf(record.created_at ?? body.timestamp))}`;
  const [model = ""] = listOf(body.models).map(textOf);
  const nodes = entries.map((entry) => nodeOf(entry, model, `open-webui/${key}`, context));
  const current = idTextOf(recordOf(body.history)?.currentId);
  return {
    id,
    title,
    createdAt: timeOf(record.created_at) ?? timeOf(body.timestamp),
    updatedAt: timeOf(record.updated_at),
    isPinned: record.pinned === true,
    isArchived: record.archived === true,
    folder: idTextOf(record.folder_id) || null,
    leaf: nodes.some((node) => node.id === current) ? current : newestOf(nodes),
    nodes,
  };
}

function timeOf(value: unknown): number | null {
  const time = numberOf(value);
  if (time === undefined) return null;
  return time < SECONDS_MAX ? time * 1000 : time;
}

/** Returns the messages of the tree; of early versions, which have none, of the list, which may name parents too. */
function entriesOf(body: Fields): Entry[] {
  const { messages } = recordOf(body.history) ?? {};
  const tree = Object.entries(Array.isArray(messages) ? {} : (recordOf(messages) ?? {}));
  const line = listOf(body.messages).length > 0 ? listOf(body.messages) : listOf(messages);
  const hasTree = tree.some(([, value]) => recordOf(value));
  if (hasTree || line.length === 0) return linked(tree);
  const listed = line.map((value, at): [string, unknown] => [idTextOf(recordOf(value)?.id) || `#${at}`, value]);
  const hasLinks = line.some((value) => idTextOf(recordOf(value)?.parentId));
  return hasLinks ? linked(listed) : inLine(line);
}

/** A message whose parent is missing follows the one that names it as its child. */
function linked(tree: [string, unknown][]): Entry[] {
  const ids = new Set(tree.map(([id]) => id));
  const parents = new Map<string, string>();
  for (const [id, value] of tree) {
    for (const child of listOf(recordOf(value)?.childrenIds))
      if (idTextOf(child) !== id) parents.set(idTextOf(child), id);
  }
  return tree.map(([id, value]) => {
    const given = recordOf(value)?.parentId;
    const parent = ids.has(idTextOf(given)) ? idTextOf(given) : (parents.get(id) ?? null);
    return { id, parent: given === null ? null : parent, value };
  });
}

function inLine(messages: unknown[]): Entry[] {
  const entries: Entry[] = [];
  const ids = new Set<string>();
  for (const [at, value] of messages.entries()) {
    const given = idTextOf(recordOf(value)?.id);
    const id = given === "" || ids.has(given) ? `${given}#${at}` : given;
    ids.add(id);
    entries.push({ id, parent: entries.at(-1)?.id ?? null, value });
  }
  return entries;
}

function nodeOf({ id, parent, value }: Entry, model: string, key: string, context: ConversionContext): ForeignNode {
  const message = recordOf(value);
  if (!message) return brokenNode(id, parent);
  const role = message.role === "user" ? "user" : "assistant";
  const isSystem = message.role === "system";
  const fileIdOf = (file: string) =>
    context.fileIdOf(file.startsWith("#") ? `${key}/${id}/file/${file}` : `open-webui/file/${file}`);
  const { pieces, hasUnknown } = new OpenWebuiMessage(message, fileIdOf).read();
  const isKnown = !hasUnknown && (role === "user" || isSystem || message.role === "assistant");
  return {
    ...{ id, parent, role, pieces, createdAt: timeOf(message.timestamp) },
    model: role === "assistant" ? textOf(message.model) || model || null : null,
    ...(isSystem && { isHidden: true }),
    ...(!isKnown && { unreadable: "unknown-kind" as const }),
  };
}
