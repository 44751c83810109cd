import { filePaths } from "#contract/files/paths.ts";
import { ApiError, api, readApiError } from "../../api/client.ts";
import { localFile } from "../local-files.ts";

/** Reads the bytes of a file, from the server unless they are in this page. Rejects with an {@link ApiError}, or with the signal's reason after an abort. */
export async function readFileBytes(id: string, signal?: AbortSignal): Promise<Blob> {
  const local = localFile(id);
  if (local) return local;
  const headers = { accept: "*/*" };
  const response = await api.open(filePaths.file(encodeURIComponent(id)), { headers, ...(signal && { signal }) });
  if (!response.ok) throw await readApiError(response);
  try {
    return await response.blob();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError(0, "The connection broke off", { code: "unreachable", cause });
  }
}
