import { paths } from "#contract/paths.ts";
import { api, readApiError } from "../api/client.ts";
import { fileNameOf, saveFile } from "./save-file.ts";

/**
 * Keeps everything of the account as a file, however large. `onBytes` is told how much has come.
 * @throws ApiError, and the signal's reason
 */
export async function exportAll(signal: AbortSignal, onBytes: (bytes: number) => void): Promise<void> {
  const response = await api.open(paths.export, { signal });
  if (!response.ok || !response.body) throw await readApiError(response);
  let bytes = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.length;
      onBytes(bytes);
      controller.enqueue(chunk);
    },
  });
  // The browser puts a large one on its disk: it is never in the page's memory.
  const content = await new Response(response.body.pipeThrough(counter)).blob();
  saveFile(content, fileNameOf(response, "chats.json"));
}
