import { NEW_CHAT_TITLE } from "../../conversation/chats.ts";
import { CHAT_TITLE_MAX } from "../../limits.ts";
import { wellFormed } from "../../text/well-formed.ts";
import { TIME_MAX } from "../../times.ts";
import { type ExportedMessage, type ImportService, importServiceNames } from "../transfer.ts";
import type {
  ConversionContext,
  ConvertedChat,
  FateCounts,
  ForeignChat,
  ForeignFile,
  ForeignNode,
  NodeFate,
  Piece,
} from "./foreign-chat.ts";
import { MessageBuilder } from "./message-builder.ts";
import { type ShownNode, treeOfNodes } from "./tree-of-nodes.ts";

/** Longest id of a chat and of a folder: a longer one of a chat is replaced by a UUID. */
const ID_MAX = 64;
const isId = (id: string | null | undefined): id is string => !!id && id.length <= ID_MAX;

/**
 * Converts a chat. Branches stay; hidden and empty nodes are left out, and their followers follow the node before them;
 * an answer that is a chain of nodes becomes one message. Each node gets one fate.
 */
export function convertTree(service: ImportService, chat: ForeignChat, context: ConversionContext): ConvertedChat {
  const { nodes, shown, shownAbove } = treeOfNodes(chat.nodes);
  const times = timesOf(chat, context.now);
  // A chat without an id is known again by what it has.
  const key = [service, chat.id || `${chat.title}/${chat.createdAt}/${chat.nodes[0]?.id}`].join("/");
  const id = isId(chat.id) ? wellFormed(chat.id) : context.fileIdOf(key);
  const joined = new JoinedMessages(importServiceNames[service], times.createdAt, (of) =>
    context.fileIdOf(`${key}/${of}`),
  );
  const fates: FateCounts = { message: 0, part: 0, file: 0, hidden: 0, unreadable: 0 };
  const unreadable: ConvertedChat["unreadable"] = {};
  const shownFates = new Map<string, NodeFate>();
  for (const one of shown) shownFates.set(one.node.id, joined.add(one));
  for (const node of nodes) {
    const fate = node.unreadable ? "unreadable" : (shownFates.get(node.id) ?? "hidden");
    fates[fate]++;
    if (node.unreadable) unreadable[node.unreadable] = (unreadable[node.unreadable] ?? 0) + 1;
  }
  const leaf = shownAbove(chat.leaf);
  const title = wellFormed(chat.title).trim().slice(0, CHAT_TITLE_MAX).toWellFormed();
  return {
    chat: {
      id,
      origin: { service, id },
      title: title || NEW_CHAT_TITLE,
      titleOrigin: title ? "person" : "default",
      ...times,
      isPinned: chat.isPinned ?? false,
      isArchived: chat.isArchived ?? false,
      folder: isId(chat.folder) ? chat.folder : null,
      instructions: "",
      preset: null,
      leaf: (leaf === null ? undefined : joined.idOf(leaf)) ?? joined.messages.at(-1)?.id ?? null,
      messages: joined.messages,
    },
    ...(chat.folder && chat.folderName && { folderName: chat.folderName }),
    fates,
    unreadable,
    files: joined.files,
  };
}

/** Returns when a chat was begun and last used: what the service says, else what its nodes say. */
function timesOf({ createdAt, updatedAt, nodes }: ForeignChat, now: number) {
  const known = nodes.flatMap((node) => timeOf(node.createdAt) ?? []);
  const first = timeOf(createdAt) ?? known.reduce((least, time) => Math.min(least, time), timeOf(updatedAt) ?? now);
  const last = timeOf(updatedAt) ?? known.reduce((most, time) => Math.max(most, time), first);
  return { createdAt: first, updatedAt: last };
}

/** Returns a time that the format has; undefined for one that a service has not noted, or noted as 0. */
export function timeOf(ms: number | null | undefined): number | undefined {
  if (ms === null || ms === undefined || !Number.isFinite(ms) || ms <= 0) return undefined;
  return Math.min(Math.round(ms), TIME_MAX);
}

/** The messages that the shown nodes of a chat become, parents before children. */
class JoinedMessages {
  readonly #builders: MessageBuilder[] = [];
  /** The message that ends each node, by the node's id. */
  readonly #ends = new Map<string, { builder: MessageBuilder; children: number; time: number }>();
  readonly #service: string;
  readonly #begunAt: number;
  readonly #fileIdOf: (key: string) => string;

  constructor(service: string, begunAt: number, fileIdOf: (key: string) => string) {
    this.#service = service;
    this.#begunAt = begunAt;
    this.#fileIdOf = fileIdOf;
  }

  get messages(): ExportedMessage[] {
    return this.#builders.map((builder) => builder.end());
  }

  get files(): ForeignFile[] {
    const files = this.#builders.flatMap((builder) => builder.files);
    return [...new Map(files.map((file) => [file.id, file])).values()];
  }

  idOf(node: string): string | undefined {
    return this.#ends.get(node)?.builder.message.id;
  }

  /** Adds a node behind its parent. @returns its fate */
  add({ node, parent, children }: ShownNode): NodeFate {
    const above = parent === null ? undefined : this.#ends.get(parent);
    const time = timeOf(node.createdAt) ?? above?.time ?? this.#begunAt;
    const isPart = node.role === "assistant" && above?.builder.message.role === "assistant" && above.children === 1;
    let builder = isPart ? above.builder : this.#begin(node, above?.builder, time);
    builder.continueWith(node, time);
    for (const piece of node.pieces) {
      for (let left = builder.add(piece); left; left = builder.add(left))
        builder = this.#begin(node, builder, time, builder);
    }
    this.#ends.set(node.id, { builder, children, time });
    if (!isPart) return "message";
    return node.pieces.every(({ kind }: Piece) => kind === "file") ? "file" : "part";
  }

  /** @param full the message that the new one continues */
  #begin(
    node: ForeignNode,
    above: MessageBuilder | undefined,
    createdAt: number,
    full?: MessageBuilder,
  ): MessageBuilder {
    const id = `m${this.#builders.length + 1}`;
    const place = { id, parent: above?.message.id ?? null, createdAt, serviceName: this.#service };
    const builder = new MessageBuilder(node, place, this.#fileIdOf, full);
    this.#builders.push(builder);
    return builder;
  }
}
