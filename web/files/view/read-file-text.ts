import { type AttachedFile, type FileText, fileTextSchema } from "#contract/files/files.ts";
import { filePaths } from "#contract/files/paths.ts";
import { api } from "../../api/client.ts";
import { localFile } from "../local-files.ts";

/** Length at which the server cuts a text, in UTF-16 units. */
const MAX_CHARS = 1_000_000;

/**
 * Reads the text of a file as models receive it, from the server unless its bytes are in this page only. Those are
 * decoded if they are a text in UTF-8; others only the server reads.
 */
export async function readFileText({ id, type }: AttachedFile, signal: AbortSignal): Promise<FileText | "server-only"> {
  const local = localFile(id);
  if (!local) return api.get(filePaths.fileText(encodeURIComponent(id)), fileTextSchema, { signal });
  const text = type.startsWith("text/") ? decoded(await local.arrayBuffer()) : null;
  if (text === null) return "server-only";
  if (text.length <= MAX_CHARS) return { text };
  return { text: text.slice(0, MAX_CHARS).toWellFormed(), remark: "cut" };
}

/** Returns a text in UTF-8; null if the bytes are none. */
function decoded(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
