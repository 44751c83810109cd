/** Saves and prints a chat. */

import { paths } from "#contract/paths.ts";
import type { ChatExportFormat } from "#contract/transfer.ts";
import { api, readApiError } from "../api/client.ts";
import { saveFile } from "../ui/save-file.ts";
import { fileNameOf } from "./file-name-of.ts";

async function read(chat: string, format: ChatExportFormat): Promise<Response> {
  const response = await api.open(`${paths.chatExport(chat)}?${new URLSearchParams({ format })}`);
  if (!response.ok) throw await readApiError(response);
  return response;
}

/** Saves a chat as a file. @throws ApiError */
export async function saveChat(chat: string, format: ChatExportFormat): Promise<void> {
  const response = await read(chat, format);
  saveFile(await response.blob(), fileNameOf(response, "chat"));
}

const STYLES = /<style>([\s\S]*?)<\/style>/;

/**
 * Opens a chat in a new window and prints it; saves it as a file if the browser blocks the window. The window inherits
 * our Content Security Policy, which forbids inline styles: this function adds them as a constructed style sheet.
 * @throws ApiError
 */
export async function printChat(chat: string): Promise<void> {
  const response = await read(chat, "html");
  const html = await response.text();
  const styles = STYLES.exec(html)?.[1] ?? "";
  const url = URL.createObjectURL(new Blob([html.replace(STYLES, "")], { type: "text/html" }));
  const page = window.open(url, "_blank") as (Window & typeof globalThis) | null;
  if (!page) {
    saveFile(new Blob([html], { type: "text/html" }), fileNameOf(response, "chat.html"));
    return;
  }
  page.addEventListener("load", () => {
    const sheet = new page.CSSStyleSheet();
    sheet.replaceSync(styles);
    page.document.adoptedStyleSheets = [sheet];
    URL.revokeObjectURL(url);
    page.print();
  });
}
