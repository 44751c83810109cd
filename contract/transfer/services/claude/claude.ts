import type { Role } from "../../../conversation/conversation.ts";
import { convertTree } from "../convert-tree.ts";
import {
  type ConversionContext,
  type Converter,
  type ForeignChat,
  type ForeignFolder,
  type ForeignNode,
  type Piece,
  UnreadableChat,
} from "../foreign-chat.ts";
import { absentFile, base64File, isWebAddress, textFile } from "../foreign-files.ts";
import { brokenNode, idTextOf, jsonOf, newestOf } from "../foreign-nodes.ts";
import { listOf, numberOf, recordOf, textOf, timeOfIso } from "../unknown-values.ts";
import { type Citation, ClaudeWords } from "./claude-text.ts";

type Fields = Record<string, unknown>;
/** Returns the id of a file: `position` names it within its message, if the service has no id for it. */
type FileIds = (id: unknown, position: string) => string;

/** `text` of a message has this in place of each call of a tool and of each result. */
const UNSUPPORTED = /```\s*This block is not supported on your current device yet\.\s*```/g;

/**
 * Converts the chats of `conversations.json` in an export of Claude, as observed in 2024 to 2026. `content` of a message
 * is read, and `text`, which repeats it, only in its place. Messages of old exports name no parents: they are a line.
 * Of `files` there are only names. Exports name no model; single chats that programs save may.
 */
export const claude: Converter = {
  service: "claude",
  recognises: (chat) => Array.isArray(recordOf(chat)?.chat_messages),
  convert(chat, context) {
    const fields = recordOf(chat);
    if (!fields || !Array.isArray(fields.chat_messages)) throw new UnreadableChat();
    return convertTree("claude", foreignChatOf(fields, context), context);
  },
  foldersIn: (value) => [value, ...listOf(recordOf(value)?.projects)].flatMap(projectOf),
};

/** Reads a project, of which `projects.json` is a list; newer exports have a file for each. */
function projectOf(value: unknown): ForeignFolder[] {
  const project = recordOf(value);
  const isProject = project && ["prompt_template", "docs", "is_private"].some((key) => Object.hasOwn(project, key));
  const id = idTextOf(project?.uuid);
  if (!isProject || id === "" || Array.isArray(project.chat_messages)) return [];
  const instructions = textOf(project.prompt_template).trim();
  return [{ id, name: textOf(project.name), instructions, documents: listOf(project.docs).length }];
}

function foreignChatOf(chat: Fields, context: ConversionContext): ForeignChat {
  const id = idTextOf(chat.uuid);
  const nodes = nodesOf(chat, id || `${textOf(chat.name)}/${textOf(chat.created_at)}`, context);
  const leaf = idTextOf(chat.current_leaf_message_uuid);
  return {
    id,
    title: textOf(chat.name),
    createdAt: timeOfIso(chat.created_at),
    updatedAt: timeOfIso(chat.updated_at),
    isPinned: chat.is_starred === true,
    folder: idTextOf(chat.project_uuid) || idTextOf(recordOf(chat.project)?.uuid) || null,
    folderName: textOf(recordOf(chat.project)?.name),
    leaf: nodes.some((node) => node.id === leaf) ? leaf : newestOf(nodes),
    nodes,
  };
}

function nodesOf(chat: Fields, key: string, context: ConversionContext): ForeignNode[] {
  const messages = listOf(chat.chat_messages);
  const isLine = !messages.some((message) => idTextOf(recordOf(message)?.parent_message_uuid));
  const nodes: ForeignNode[] = [];
  const ids = new Set<string>();
  for (const [at, value] of messages.entries()) {
    const message = recordOf(value);
    const given = idTextOf(message?.uuid);
    // In a line a second message with the same id follows the one before it, and not the first with that id.
    const id = given === "" || (isLine && ids.has(given)) ? `${given}#${at}` : given;
    const previous = nodes.at(-1)?.id ?? null;
    const isUnlinked = isLine || message?.parent_message_uuid === undefined;
    const parent = isUnlinked ? previous : idTextOf(message.parent_message_uuid) || null;
    const fileIds: FileIds = (file, position) =>
      context.fileIdOf(idTextOf(file) ? `claude/file/${idTextOf(file)}` : `claude/${key}/${id}/file/${position}`);
    ids.add(id);
    if (message) nodes.push({ id, parent, ...readMessage(message, textOf(chat.model), fileIds) });
    else nodes.push(brokenNode(id, parent));
  }
  return nodes;
}

function readMessage(message: Fields, model: string, fileIds: FileIds): Omit<ForeignNode, "id" | "parent"> {
  const role = message.sender === "human" || message.sender === "user" ? "user" : "assistant";
  const { pieces, isKnown } = readContent(message, role, fileIds);
  const isKnownSender = role === "user" || message.sender === "assistant";
  return {
    role,
    pieces: [...filesOf(message, fileIds), ...pieces],
    createdAt: timeOfIso(message.created_at),
    model: role === "assistant" ? textOf(message.model) || model || null : null,
    ...(!(isKnown && isKnownSender) && { unreadable: "unknown-kind" as const }),
  };
}

function readContent(message: Fields, role: Role, fileIds: FileIds): { pieces: Piece[]; isKnown: boolean } {
  const titles = new Map<string, string>();
  const words = new ClaudeWords(role);
  let isKnown = true;
  for (const [at, value] of listOf(message.content).entries()) {
    const block = recordOf(value) ?? { type: "text", text: value };
    if (block.type === "text") {
      words.addText(textOf(block.text), citationsOf(block.citations, titles));
      continue;
    }
    const read = readBlock(block, titles, (file, position) => fileIds(file, `${at}/${position}`));
    words.add(read ?? [{ kind: "text", text: visibleTextOf(block) }]);
    isKnown &&= read !== undefined;
  }
  const pieces = words.end();
  if (words.hasText || pieces.some((piece) => piece.kind === "text" && piece.text.trim() !== ""))
    return { pieces, isKnown };
  const repeated = (textOf(message.text) || textOf(message.content)).replaceAll(UNSUPPORTED, "");
  // `text` of some versions has the reasoning too.
  const isRepeated = pieces.some((piece) => piece.kind === "reasoning" && piece.text.trim() === repeated.trim());
  if (!isRepeated) words.addText(repeated, []);
  return { pieces: words.end(), isKnown };
}

/** Returns the pieces of a block of a known kind other than text. `titles`: titles of pages that were found so far, by address. */
function readBlock(block: Fields, titles: Map<string, string>, fileIds: FileIds): Piece[] | undefined {
  switch (block.type) {
    case "thinking":
      return [{ kind: "reasoning", text: thinkingOf(block), durationMs: durationOf(block) }];
    case "tool_use": {
      const json = jsonOf(block.input ?? {});
      return [{ kind: "tool", name: toolNameOf(block), call: idTextOf(block.id), arguments: json, state: "unknown" }];
    }
    case "tool_result":
      return readResult(block, titles, fileIds);
    case "voice_note":
      return [{ kind: "text", text: visibleTextOf(block) }];
    case "image":
    case "document":
      return [readFile(block, fileIds(block.file_uuid ?? block.uuid, "content"))];
    case "token_budget":
    case "flag":
    case "redacted_thinking":
      return [];
    default:
      return undefined;
  }
}

const toolNameOf = (block: Fields): string => textOf(block.name) || textOf(block.integration_name) || "tool";

/** Returns the words of a block of an unknown kind, or of a voice note. */
function visibleTextOf(block: Fields): string {
  const words = [block.title, block.text, block.transcript, block.thinking, block.content];
  const found = words.map(textOf).filter((text) => text.trim() !== "");
  return found.length > 0 ? found.join("\n\n") : textOf(recordOf(block.display_content)?.text);
}

function thinkingOf(block: Fields): string {
  const thinking = textOf(block.thinking) || textOf(block.text);
  if (thinking.trim() !== "") return thinking;
  return listOf(block.summaries)
    .map((summary) => textOf(summary) || textOf(recordOf(summary)?.summary))
    .join("\n");
}

function durationOf(block: Fields): number | undefined {
  const start = timeOfIso(block.start_timestamp);
  const stop = timeOfIso(block.stop_timestamp);
  return start === null || stop === null || stop < start ? undefined : stop - start;
}

function citationsOf(citations: unknown, titles: Map<string, string>): Citation[] {
  return listOf(citations).flatMap((value) => {
    const citation = recordOf(value);
    const details = recordOf(citation?.details);
    const url = textOf(citation?.url) || textOf(details?.url);
    const title = textOf(citation?.title) || textOf(details?.title) || (titles.get(url) ?? "");
    return isWebAddress(url) ? [{ url, title, end: numberOf(citation?.end_index) }] : [];
  });
}

function readResult(block: Fields, titles: Map<string, string>, fileIds: FileIds): Piece[] {
  const files: Piece[] = [];
  const items = typeof block.content === "string" ? [block.content] : listOf(block.content);
  const texts = items.map((value, at) => {
    const item = recordOf(value);
    if (!item || item.type === "text") return item ? textOf(item.text) : jsonOf(value);
    if (item.type === "knowledge") {
      titles.set(textOf(item.url), textOf(item.title));
      return [item.title, item.url, item.text].map(textOf).filter(Boolean).join("\n");
    }
    const isFile = item.type === "image" || item.type === "local_resource";
    if (isFile) files.push(readFile(item, fileIds(item.file_uuid ?? item.uuid, `result/${at}`)));
    return isFile ? textOf(item.file_path) : jsonOf(item);
  });
  const text = texts.filter((one) => one.trim() !== "").join("\n\n");
  const other = block.structured_content ? jsonOf(block.structured_content) : textOf(block.message);
  const facts = { name: toolNameOf(block), call: idTextOf(block.tool_use_id), hasFailed: block.is_error === true };
  return [{ kind: "result", text: text || other, ...facts }, ...files];
}

/** Returns a file of `content`. Pictures have their bytes only in chats that programs save. */
function readFile(block: Fields, id: string): Piece {
  const source = recordOf(block.source);
  const type = textOf(source?.media_type) || textOf(block.mime_type);
  const facts = { id, name: textOf(block.file_name) || textOf(block.name), type };
  return source?.type === "base64" ? base64File(facts, textOf(source.data)) : absentFile(facts);
}

function filesOf(message: Fields, fileIds: FileIds): Piece[] {
  const attachments = listOf(message.attachments).map((value, at) => {
    const file = recordOf(value);
    const id = fileIds(file?.id, `attachments/${at}`);
    const facts = { id, name: textOf(file?.file_name), type: textOf(file?.file_type), size: sizeOf(file?.file_size) };
    const text = textOf(file?.extracted_content);
    return text === "" ? absentFile(facts) : textFile(facts, text);
  });
  const names = [...listOf(message.files), ...listOf(message.files_v2)].map((value, at) => {
    const file = recordOf(value);
    const id = fileIds(file?.file_uuid ?? file?.uuid, `files/${at}`);
    const name = textOf(file?.file_name) || textOf(value);
    return absentFile({ id, name, type: textOf(file?.file_type), size: sizeOf(file?.file_size) });
  });
  // `files_v2` names again what `files` names.
  const byId = new Map([...attachments, ...names].map((piece) => [piece.kind === "file" && piece.file.id, piece]));
  return [...byId.values()];
}

const sizeOf = (value: unknown): number => Math.max(0, Math.floor(numberOf(value) ?? 0));
