/** Saves a chat. */

import { transferPaths } from "#contract/transfer/paths.ts";
import type { ChatExportFormat } from "#contract/transfer/transfer.ts";
import { api, readApiError } from "../api/client.ts";
import { saveFile } from "../ui/save-file.ts";
import { fileNameOf } from "./file-name-of.ts";

async function read(chat: string, format: ChatExportFormat, withReasoning: boolean): Promise<Response> {
  const query = new URLSearchParams({ format, ...(withReasoning && { reasoning: "true" }) });
  const response = await api.open(`${transferPaths.chatExport(chat)}?${query}`);
  if (!response.ok) throw await readApiError(response);
  return response;
}

/** Saves a chat as a file. `withReasoning`: an HTML file contains the models' reasoning. @throws ApiError */
export async function saveChat(chat: string, format: ChatExportFormat, withReasoning = false): Promise<void> {
  const response = await read(chat, format, withReasoning);
  saveFile(await response.blob(), fileNameOf(response, "chat"));
}
