/** Saves a chat. */

import { transferPaths } from "#contract/transfer/paths.ts";
import type { ChatExportFormat } from "#contract/transfer/transfer.ts";
import { api, readApiError } from "../api/client.ts";
import { saveFile } from "../ui/save-file.ts";
import { fileNameOf } from "./file-name-of.ts";

/** `withReasoning`: an HTML or Word file contains the models' reasoning. `message`: the only message in the file. */
export type ChatFileOptions = { withReasoning?: boolean; message?: string };

async function read(
  chat: string,
  format: ChatExportFormat,
  { withReasoning = false, message }: ChatFileOptions,
): Promise<Response> {
  const query = new URLSearchParams({
    format,
    ...(withReasoning && { reasoning: "true" }),
    ...(message !== undefined && { message }),
  });
  const response = await api.open(`${transferPaths.chatExport(chat)}?${query}`);
  if (!response.ok) throw await readApiError(response);
  return response;
}

/** Saves a chat or one of its messages as a file. @throws ApiError */
export async function saveChat(chat: string, format: ChatExportFormat, options: ChatFileOptions = {}): Promise<void> {
  const response = await read(chat, format, options);
  saveFile(await response.blob(), fileNameOf(response, "chat"));
}
