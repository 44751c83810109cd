import type { ChatRow } from "../../database/schema.ts";
import type { ExportDeps } from "../export-json.ts";
import { type FileOptions, readShown } from "../shown-branch.ts";
import { HtmlRenderer } from "./html-renderer.ts";
import { wordsHtml } from "./part-html.ts";

/** Bound of rendered messages: the sum of what `of` returns for the HTML of each. */
export type RenderBound = { of(html: string): number; most: number };

/** Renders the words of messages as HTML, from the first message to the last within the bound. */
export async function renderMessages(
  deps: ExportDeps,
  chat: ChatRow,
  { signal, withReasoning, message }: FileOptions,
  { of, most }: RenderBound,
): Promise<string[]> {
  await using renderer = new HtmlRenderer(signal);
  const rendered: string[] = [];
  let sum = 0;
  for await (const shown of readShown(deps, chat, { message })) {
    signal.throwIfAborted();
    const html = await wordsHtml(shown, { withReasoning, render: renderer.render, step: deps.read.step });
    sum += of(html);
    if (sum > most) break;
    rendered.push(html);
  }
  return rendered;
}
