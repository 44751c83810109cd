import { SECOND } from "#contract/limits.ts";
import type { Flow } from "../../concurrency/fair-queue.ts";
import type { KeyedSemaphore, SemaphoreLimits } from "../../concurrency/keyed-semaphore.ts";
import type { ChatRow } from "../../database/schema.ts";
import { escapeHtml } from "../../text/escape-html.ts";
import type { ExportDeps } from "../export-json.ts";
import { type FileOptions, momentOf, readShown } from "../shown-branch.ts";
import { articleHtml } from "./article-html.ts";
import { newPictureRoom } from "./files-html.ts";
import { MAX_HELD_CHARS } from "./html-renderer.ts";
import { printStyles } from "./print-styles.ts";
import { type RenderBound, renderMessages } from "./render-messages.ts";

/**
 * Content Security Policy of the file, wherever it is opened: nothing is executed, and nothing is loaded. Pictures are in
 * the file itself.
 */
export const HTML_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/** Limits of render processes, each of which needs some 90 MB: of exports as HTML and Word documents, and of drafts of links. */
export const RENDER_LIMITS: SemaphoreLimits = {
  atOnce: 2,
  maxWaiting: 50,
  // Below the 60 s after which usual proxies answer themselves.
  maxWaitMs: 50 * SECOND,
  retryAfterSeconds: 10,
  perAccount: { atOnce: 1, maxWaiting: 10, retryAfterSeconds: 10 },
};

/** A longer chat is not held: its later messages are plain text. */
const HELD: RenderBound = { of: ({ length }) => length, most: MAX_HELD_CHARS };

/**
 * Returns the shown branch of a chat, or one message, as pieces of one self-contained HTML file, to be read or printed,
 * with its files, its notices and, if `withReasoning`, the models' reasoning. Everything is rendered before the first
 * piece, so that a slow client does not occupy a process.
 * @throws Failure `unavailable`, `too-many-requests` if too many exports of others or of the account are rendered; the signal's reason
 */
export async function exportHtml(
  deps: ExportDeps & { rendering: KeyedSemaphore; flow: Flow },
  chat: ChatRow,
  options: FileOptions,
): Promise<AsyncGenerator<string>> {
  const render = () => renderMessages(deps, chat, options, HELD);
  const rendered = await deps.rendering.run(deps.flow, render, options.signal);
  return piecesOf(deps, chat, rendered, options);
}

async function* piecesOf(
  deps: ExportDeps,
  chat: ChatRow,
  rendered: readonly string[],
  { withReasoning, message }: FileOptions,
): AsyncGenerator<string> {
  const title = escapeHtml(chat.title);
  const room = newPictureRoom();
  let at = 0;
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${HTML_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${printStyles}</style>
</head>
<body>
<header>
<h1 dir="auto">${title}</h1>
<p class="details"><bdi>${escapeHtml(deps.installation.current.productName)}</bdi> · ${momentOf(deps.clock.now())}</p>
</header>
<main>
`;
  for await (const shown of readShown(deps, chat, { message })) {
    yield* articleHtml(deps, shown, { words: rendered[at++], room, withReasoning });
  }
  yield "</main>\n</body>\n</html>\n";
}
