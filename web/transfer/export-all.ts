import { transferPaths } from "#contract/transfer/paths.ts";
import { api, readApiError } from "../api/client.ts";
import { saveFile } from "../ui/save-file.ts";
import { fileNameOf } from "./file-name-of.ts";

/**
 * Saves all data of the account as a file of any size. `onBytes` receives the number of bytes read so far.
 * @throws ApiError, and the signal's reason
 */
export async function exportAll(signal: AbortSignal, onBytes: (bytes: number) => void): Promise<void> {
  const response = await api.open(transferPaths.export, { signal });
  if (!response.ok || !response.body) throw await readApiError(response);
  let bytes = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.length;
      onBytes(bytes);
      controller.enqueue(chunk);
    },
  });
  // The browser stores a large blob on disk, not in the page's memory.
  const content = await new Response(response.body.pipeThrough(counter)).blob();
  saveFile(content, fileNameOf(response, "chats.json"));
}
