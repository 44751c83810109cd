import { citedSources, SOURCE_WORDS, sourcesMarkdown } from "#contract/conversation/citations/cited-sources.ts";
import { escapeMarkdown } from "#contract/text/name-text.ts";
import type { ChatRow } from "../database/schema.ts";
import type { ExportDeps } from "./export-json.ts";
import { type FileOptions, momentOf, readShown } from "./shown-branch.ts";

/**
 * Yields the shown branch of a chat, or one message, as one Markdown text. The text of the messages is unchanged; files
 * are named, and sources listed.
 */
export async function* exportMarkdown(
  deps: ExportDeps,
  chat: ChatRow,
  options: Pick<FileOptions, "message">,
): AsyncGenerator<string> {
  yield `# ${oneLine(chat.title)}\n\n*${oneLine(deps.installation.current.productName)} · ${momentOf(deps.clock.now())}*\n`;
  for await (const { who, details, text, files, parts, remark } of readShown(deps, chat, options)) {
    const attached =
      files.length > 0 ? `Attached: ${files.map(({ name }) => escapeMarkdown(name)).join(", ")}\n\n` : "";
    const sources = sourcesMarkdown(citedSources(parts), SOURCE_WORDS);
    yield `\n## ${who}\n\n*${oneLine(details)}*\n\n${attached}${text}\n${sources && `\n${sources}\n`}${remark && `\n*${remark}*\n`}`;
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
