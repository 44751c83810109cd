import { v5 } from "uuid";
import { type ForeignChoice, importChosen } from "#contract/transfer/services/chosen-chats.ts";
import type { ForeignReport } from "#contract/transfer/services/receipt.ts";
import {
  FILES_NAMESPACE,
  type ForeignFileSource,
  type Survey,
  surveyForeign,
} from "#contract/transfer/services/survey.ts";
import type { ProgressTransport } from "../../files/upload/upload-transport.ts";
import { browserTarget, joinBlob } from "../browser-target.ts";

/**
 * Reads an export of another service, of which nothing is sent.
 * @throws FileRefusal, and the signal's reason
 */
export async function survey(
  file: Blob,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Survey & { file: Blob }> {
  return { ...(await surveyForeign(sourceOf(file), signal, onProgress)), file };
}

/**
 * Imports the chosen chats of a file. It can be repeated after a failure: chats that are here are skipped.
 * @param transport sends the files; by default by XMLHttpRequest
 * @throws FileRefusal, ApiError, and the signal's reason; the chats imported until then remain
 */
export function importForeign(
  surveyed: Survey & { file: Blob },
  choice: ForeignChoice,
  signal: AbortSignal,
  onProgress: (share: number, sofar: ForeignReport) => void,
  transport?: ProgressTransport,
): Promise<ForeignReport> {
  const options = { ...browserTarget(signal, transport), signal, onProgress };
  return importChosen({ ...sourceOf(surveyed.file), surveyed, choice }, options);
}

const sourceOf = (file: Blob): ForeignFileSource<Blob> => ({
  file,
  join: joinBlob,
  context: { fileIdOf: (key) => v5(key, FILES_NAMESPACE), now: Date.now() },
});
