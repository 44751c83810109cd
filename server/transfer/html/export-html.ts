import { SECOND } from "#contract/limits.ts";
import type { Flow } from "../../concurrency/fair-queue.ts";
import type { KeyedSemaphore, SemaphoreLimits } from "../../concurrency/keyed-semaphore.ts";
import type { ChatRow } from "../../database/schema.ts";
import { escapeHtml } from "../../text/escape-html.ts";
import type { ExportDeps } from "../export-json.ts";
import { momentOf, readShown } from "../shown-branch.ts";
import { isCostly } from "./costly-message.ts";
import { filesHtml, newPictureRoom } from "./files-html.ts";
import { HtmlRenderer, MAX_HELD_CHARS, renderPlain } from "./html-renderer.ts";
import { wordsHtml } from "./part-html.ts";
import { printStyles } from "./print-styles.ts";

/**
 * Content Security Policy of the file, wherever it is opened: nothing is executed, and nothing is loaded. Pictures are in
 * the file itself.
 */
export const HTML_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/** Limits of render processes, each of which needs some 90 MB. */
export const RENDER_LIMITS: SemaphoreLimits = {
  atOnce: 2,
  maxWaiting: 50,
  // Below the 60 s after which usual proxies answer themselves.
  maxWaitMs: 50 * SECOND,
  retryAfterSeconds: 10,
  perAccount: { atOnce: 1, maxWaiting: 10, retryAfterSeconds: 10 },
};

/**
 * Returns the shown branch of a chat as pieces of one self-contained HTML file, to be read or printed, with its files,
 * its notices and, if `withReasoning`, the models' reasoning. Everything is rendered before the first piece, so that a
 * slow client does not occupy a process.
 * @throws Failure `unavailable`, `too-many-requests` if too many exports of others or of the account are rendered; the signal's reason
 */
export async function exportHtml(
  deps: ExportDeps & { rendering: KeyedSemaphore; flow: Flow },
  chat: ChatRow,
  signal: AbortSignal,
  withReasoning: boolean,
): Promise<AsyncGenerator<string>> {
  const render = () => renderAll(deps, chat, signal, withReasoning);
  const rendered = await deps.rendering.run(deps.flow, render, signal);
  return piecesOf(deps, chat, rendered, withReasoning);
}

/** Renders messages from the first on, until the buffer is full. */
async function renderAll(
  deps: ExportDeps,
  chat: ChatRow,
  signal: AbortSignal,
  withReasoning: boolean,
): Promise<string[]> {
  await using renderer = new HtmlRenderer(signal);
  const rendered: string[] = [];
  let chars = 0;
  for await (const message of readShown(deps, chat)) {
    signal.throwIfAborted();
    const html = await wordsHtml(message, { withReasoning, render: renderer.render, step: deps.read.step });
    chars += html.length;
    if (chars > MAX_HELD_CHARS) break;
    rendered.push(html);
  }
  return rendered;
}

async function* piecesOf(
  deps: ExportDeps,
  chat: ChatRow,
  rendered: readonly string[],
  withReasoning: boolean,
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
  for await (const message of readShown(deps, chat)) {
    const { who, details, files, remark } = message;
    yield `<article class="${who === "You" ? "question" : "answer"}">
<h2>${who} <small class="details">${escapeHtml(details)}</small></h2>
`;
    yield* filesHtml(files, room);
    yield `<div class="words${(await isCostly(message, deps.read.step)) ? " simple-shaping" : ""}" dir="auto">
${rendered[at++] ?? (await wordsHtml(message, { withReasoning, render: renderPlain, step: deps.read.step }))}
</div>
${remark && `<p class="details">${escapeHtml(remark)}</p>\n`}</article>
`;
  }
  yield "</main>\n</body>\n</html>\n";
}
