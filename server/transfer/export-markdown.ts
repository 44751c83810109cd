import type { ChatRow } from "../database/schema.ts";
import type { ExportDeps } from "./export-json.ts";
import { momentOf, readShown } from "./shown-branch.ts";

/** Yields the shown branch of a chat as one Markdown text. The text of the messages is unchanged. */
export async function* exportMarkdown(deps: ExportDeps, chat: ChatRow): AsyncGenerator<string> {
  yield `# ${oneLine(chat.title)}\n\n*${oneLine(deps.productName)} · ${momentOf(deps.clock.now())}*\n`;
  for await (const { who, details, text, remark } of readShown(deps, chat)) {
    yield `\n## ${who}\n\n*${oneLine(details)}*\n\n${text}\n${remark && `\n*${remark}*\n`}`;
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
