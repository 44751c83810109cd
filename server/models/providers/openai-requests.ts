import type { Effort } from "#contract/models/effort.ts";
import { promptName } from "../attachments/file-text.ts";
import type { PromptFile } from "../model.ts";
import type { ProviderModelSettings } from "./provider-model.ts";

/** Returns the headers of a call to a server with OpenAI's API: additional ones, and the key. */
export async function callHeaders({ connection, caller }: ProviderModelSettings): Promise<Record<string, string>> {
  return { ...(await connection.headers(caller)), ...connection.keyHeaders() };
}

/** Returns OpenAI's name of an effort. */
export function effortName(effort: Effort): string {
  return effort === "off" ? "none" : effort;
}

/** Returns the name of a PDF in a request. OpenAI's APIs recognise the format by it. */
export function pdfName(file: PromptFile): string {
  const name = promptName(file);
  return /\.pdf$/i.test(name) ? name : `${name}.pdf`;
}
