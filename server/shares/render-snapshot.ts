import { type KnownPart, toKnownPart } from "#contract/conversation/known-parts.ts";
import type { MessagePart } from "#contract/conversation/parts.ts";
import { isRunning } from "#contract/conversation/reply-state.ts";
import type { PageFile, PageMessage, PageRemark, SharedPage } from "#contract/shares/shared-page.ts";
import type { ShareOptions } from "#contract/shares/shares.ts";
import { cleanFileName } from "#contract/text/file-name.ts";
import type { ChatRow } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import type { ReadableFile } from "../files/readable-file.ts";
import type { ExportDeps } from "../transfer/export-json.ts";
import { isCostly } from "../transfer/html/costly-message.ts";
import { HtmlRenderer } from "../transfer/html/html-renderer.ts";
import { mergeParts } from "../transfer/html/part-html.ts";
import { type ExportedOfBranch, modelName, readExported } from "../transfer/shown-branch.ts";
import { partNodes, sourceNodes } from "./part-nodes.ts";
import type { DraftContent } from "./share-store.ts";
import { sharedMessage } from "./shared-message.ts";

/** Largest page, and largest JSON of messages, of one link in bytes of UTF-8: one row each, read as a whole. */
export const SNAPSHOT_BYTES_MAX = 3_000_000;

/** `author`: name of the owner. `createdAt`: Unix time in ms, which tells this snapshot from others of one link. */
export type SnapshotRequest = {
  chat: ChatRow;
  options: ShareOptions;
  author: string;
  createdAt: number;
  signal: AbortSignal;
};

/** Files of a snapshot by their ids, in the order in which messages name them. */
type SnapshotFiles = Map<string, PageFile>;

/**
 * Renders the shown branch of a chat as the page of a link, once: readers get what is returned here. Messages that come
 * later, instructions and presets are not read.
 * @throws Failure `nothing-to-share` without messages, `share-too-large`; the reason of the signal
 */
export async function renderSnapshot(deps: ExportDeps, request: SnapshotRequest): Promise<DraftContent> {
  const { chat, options, author, createdAt, signal } = request;
  await using renderer = new HtmlRenderer(signal, { form: "nodes" });
  const files: SnapshotFiles = new Map();
  const head = { title: chat.title, ...(options.author && { author }), createdAt };
  const [pages, messages] = [new BoundedList(headOf(head)), new BoundedList("[")];
  for await (const shown of readExported(deps, chat, { message: undefined })) {
    signal.throwIfAborted();
    const ofMessage = options.files ? filesOf(shown, options, files) : [];
    pages.add(await pageMessage(shown, { options, files: ofMessage, renderer, step: deps.read.step }));
    messages.add(JSON.stringify(sharedMessage(shown.message, options)));
    await deps.read.step();
  }
  if (pages.length === 0) throw new Failure("nothing-to-share");
  return { page: pages.end("]}"), messages: messages.end("]"), files: [...files.keys()] };
}

/** JSON of a page before its first message. */
const headOf = (head: Omit<SharedPage, "messages">): string => `${JSON.stringify(head).slice(0, -1)},"messages":[`;

/** JSON of a list, of at most {@link SNAPSHOT_BYTES_MAX} bytes. */
class BoundedList {
  readonly #start: string;
  readonly #items: string[] = [];
  #bytes: number;

  constructor(start: string) {
    this.#start = start;
    this.#bytes = Buffer.byteLength(start);
  }

  get length(): number {
    return this.#items.length;
  }

  /** @throws Failure `share-too-large` */
  add(item: string): void {
    this.#bytes += Buffer.byteLength(item) + 1;
    if (this.#bytes > SNAPSHOT_BYTES_MAX) throw new Failure("share-too-large");
    this.#items.push(item);
  }

  end(end: string): string {
    return `${this.#start}${this.#items.join(",")}${end}`;
  }
}

type MessageOptions = {
  options: ShareOptions;
  files: PageFile[];
  renderer: HtmlRenderer;
  step: () => Promise<void>;
};

/** Returns a message of the page as JSON. Its body is JSON already. */
async function pageMessage(shown: ExportedOfBranch, message: MessageOptions): Promise<string> {
  const { options, files, renderer, step } = message;
  const { role, content: text, model, createdAt, parts = [] } = shown.message;
  const who = role === "user" ? "You" : "Assistant";
  const write = (part: KnownPart) => partNodes(part, options, renderer.render);
  const sections = await mergeParts({ text, parts, who }, { render: renderer.render, step, write });
  const body = [...sections, sourceNodes(parts, options)].filter(Boolean).join(",");
  const remark = remarkOf(shown);
  const facts: Omit<PageMessage, "body"> = {
    role,
    createdAt,
    ...(model !== null && { model: modelName(model) }),
    ...(files.length > 0 && { files }),
    ...(remark && { remark }),
    ...((await isCostly({ text, parts: shownParts(parts, options) }, step)) && { isSimple: true }),
  };
  return `${JSON.stringify(facts).slice(0, -1)},"body":[${body}]}`;
}

const shownParts = (parts: readonly MessagePart[], { reasoning }: ShareOptions): readonly MessagePart[] =>
  reasoning ? parts : [];

function remarkOf({ message, isWriting }: ExportedOfBranch): PageRemark | undefined {
  const { state, isTruncated } = message;
  if (isWriting) return "unfinished";
  if (isTruncated) return "truncated";
  return state === "complete" || isRunning(state) ? undefined : state;
}

/** Returns the files of a message that are stored, and adds them to those of the snapshot. */
function filesOf(shown: ExportedOfBranch, { tools }: ShareOptions, files: SnapshotFiles): PageFile[] {
  return (shown.message.parts ?? []).flatMap((part) => {
    const known = toKnownPart(part);
    if (known?.kind !== "file" || (known.tool !== undefined && !tools)) return [];
    const stored = shown.stored.find(({ id }) => id === known.id);
    if (!stored) return [];
    const file = files.get(stored.id) ?? toPageFile(stored, files.size);
    files.set(stored.id, file);
    return [file];
  });
}

const toPageFile = ({ name, kind, size, width, height }: ReadableFile, position: number): PageFile => ({
  position,
  name: cleanFileName(name),
  kind,
  size,
  ...(width !== undefined && { width }),
  ...(height !== undefined && { height }),
});
