import { escapeHtml } from "../../text/escape-html.ts";
import type { ExportDeps } from "../export-json.ts";
import type { ShownMessage } from "../shown-branch.ts";
import { isCostly } from "./costly-message.ts";
import { filesHtml, type PictureRoom } from "./files-html.ts";
import { renderPlain } from "./html-renderer.ts";
import { wordsHtml } from "./part-html.ts";

/**
 * Yields a message as an article: its author, its files, its words and its remark.
 * @param words undefined for the words as plain text. `room`: of pictures
 */
export async function* articleHtml(
  { read }: Pick<ExportDeps, "read">,
  message: ShownMessage,
  { words, room, withReasoning }: { words: string | undefined; room: PictureRoom; withReasoning: boolean },
): AsyncGenerator<string> {
  const { who, details, files, remark } = message;
  yield `<article class="${who === "You" ? "question" : "answer"}">
<h2>${who} <small class="details">${escapeHtml(details)}</small></h2>
`;
  yield* filesHtml(files, room);
  yield `<div class="words${(await isCostly(message, read.step)) ? " simple-shaping" : ""}" dir="auto">
${words ?? (await wordsHtml(message, { withReasoning, render: renderPlain, step: read.step }))}
</div>
${remark && `<p class="details">${escapeHtml(remark)}</p>\n`}</article>
`;
}
