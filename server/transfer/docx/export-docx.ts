import { SECOND } from "#contract/limits.ts";
import { AbortScope } from "../../concurrency/abort-scope.ts";
import type { Flow } from "../../concurrency/fair-queue.ts";
import type { KeyedSemaphore } from "../../concurrency/keyed-semaphore.ts";
import { LimitedProcess, type Post, type ProcessLimits } from "../../concurrency/limited-process.ts";
import type { ChatRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { escapeHtml } from "../../text/escape-html.ts";
import type { ExportDeps } from "../export-json.ts";
import { articleHtml } from "../html/article-html.ts";
import { newPictureRoom } from "../html/files-html.ts";
import { renderMessages } from "../html/render-messages.ts";
import { type FileOptions, momentOf, readShown } from "../shown-branch.ts";
import type { DocxAnswer, DocxPiece } from "./docx-process.ts";
import { FORMATTED, MOST_WEIGHT, weightOf } from "./docx-weight.ts";

const LIMITS: ProcessLimits = { maxHeapMb: 512, maxMemoryMb: 768 };
/**
 * Time for the rendering and both conversions, in ms, with the starts of their processes: below the 60 s after which
 * usual proxies answer.
 */
const TOTAL_MS = 50 * SECOND;
/** Time for a conversion with formatting, in ms. One with plain text has the time that is left. */
const FORMATTED_MS = 20 * SECOND;
/** The entry of the process is next to this module, in the sources and in the build. */
const ENTRY = new URL(import.meta.url.endsWith(".ts") ? "./docx-process.ts" : "./docx-process.js", import.meta.url);

const PLAIN_FROM_HERE =
  "This chat is too long to be formatted as a whole: from here on, this document has the text as it was written.";

/**
 * Returns the shown branch of a chat, or one message, as a Word document with the content of the HTML export. Late
 * messages of a long chat are plain text; all are if a text is too costly to be converted.
 * @throws Failure `document-too-large`; those of the HTML export; the signal's reason
 */
export async function exportDocx(
  deps: ExportDeps & { rendering: KeyedSemaphore; flow: Flow },
  chat: ChatRow,
  options: FileOptions,
): Promise<Uint8Array> {
  return deps.rendering.run(
    deps.flow,
    async () => {
      using scope = new AbortScope({ parents: [options.signal], ms: TOTAL_MS });
      const { signal } = scope;
      try {
        const bytes = await write(deps, chat, { ...options, signal });
        if (bytes) return bytes;
      } catch (error) {
        if (!signal.aborted || options.signal.aborted) throw error;
      }
      throw new Failure("document-too-large");
    },
    options.signal,
  );
}

/** @returns null if the conversion of plain text fails too */
async function write(deps: ExportDeps, chat: ChatRow, options: FileOptions): Promise<Uint8Array | null> {
  const rendered = await renderMessages(deps, chat, options, FORMATTED);
  return (
    (await convert(deps, chat, { ...options, rendered, timeoutMs: FORMATTED_MS })) ??
    (await convert(deps, chat, { ...options, rendered: [], timeoutMs: TOTAL_MS }))
  );
}

/** `rendered`: HTML of the first messages; the others are plain text. */
type ConversionOptions = FileOptions & { rendered: readonly string[]; timeoutMs: number };

/** @returns null if the conversion takes too long or too much memory */
async function convert(deps: ExportDeps, chat: ChatRow, options: ConversionOptions): Promise<Uint8Array | null> {
  const process = new LimitedProcess<DocxAnswer>(ENTRY, LIMITS);
  try {
    const send = async (post: Post) => {
      for await (const piece of piecesOf(deps, chat, options)) {
        if (process.isEnded || options.signal.aborted) return;
        await post(piece);
      }
    };
    const outcome = await process.ask(send, options.timeoutMs, options.signal);
    return outcome !== "timeout" && "answer" in outcome ? outcome.answer.bytes : null;
  } finally {
    await process.end();
  }
}

/** @throws Failure `document-too-large` */
async function* piecesOf(
  deps: ExportDeps,
  chat: ChatRow,
  { rendered, withReasoning, message }: ConversionOptions,
): AsyncGenerator<DocxPiece> {
  const author = deps.installation.current.productName;
  const pictures: DocxPiece[] = [];
  const room = newPictureRoom(({ bytes }) => {
    const address = `picture:${pictures.length}`;
    pictures.push({ picture: bytes, address });
    return address;
  });
  yield {
    html: `<h1 class="title">${escapeHtml(chat.title)}</h1>
<p class="details"><bdi>${escapeHtml(author)}</bdi> · ${momentOf(deps.clock.now())}</p>
`,
  };
  let weight = 0;
  let at = 0;
  let sent = 0;
  for await (const shown of readShown(deps, chat, { message })) {
    if (at === rendered.length) yield { html: `<p class="details">${PLAIN_FROM_HERE}</p>\n` };
    for await (const html of articleHtml(deps, shown, { words: rendered[at], room, withReasoning })) {
      weight += weightOf(html);
      if (weight > MOST_WEIGHT) throw new Failure("document-too-large");
      yield { html };
      for (; sent < pictures.length; sent++) yield* pictures.slice(sent, sent + 1);
    }
    at += 1;
  }
  yield { title: chat.title, author };
}
