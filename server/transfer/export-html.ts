import type { ChatRow } from "../database/schema.ts";
import { escapeHtml } from "../escape-html.ts";
import type { ExportGround } from "./export-json.ts";
import { HtmlRenderer } from "./html-renderer.ts";
import { printStyles } from "./print-styles.ts";
import { listShown, momentOf } from "./shown-branch.ts";

/** Holds wherever the file is opened: nothing runs, nothing is loaded. */
export const HTML_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** The shown branch of a chat as one HTML file to be read or printed, without anything from elsewhere. */
export async function* exportHtml(ground: ExportGround, chat: ChatRow): AsyncGenerator<string> {
  await using renderer = new HtmlRenderer();
  const title = escapeHtml(chat.title);
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
<p class="details">${escapeHtml(ground.productName)} · ${momentOf(ground.clock.now())}</p>
</header>
<main>
`;
  for (const { who, details, text, remark } of await listShown(ground, chat)) {
    yield `<article class="${who === "You" ? "question" : "answer"}">
<h2>${who} <small class="details">${escapeHtml(details)}</small></h2>
<div class="words" dir="auto">
${await renderer.render(text)}
</div>
${remark && `<p class="details">${escapeHtml(remark)}</p>\n`}</article>
`;
  }
  yield "</main>\n</body>\n</html>\n";
}
