/** Lazy module that imports an export of our own. */

import { type ImportReport, importSource } from "#contract/transfer/import/import-source.ts";
import { openExport } from "#contract/transfer/own/own-export.ts";
import type { ProgressTransport } from "../files/upload/upload-transport.ts";
import { browserTarget, joinBlob } from "./browser-target.ts";

/**
 * Imports an export of our own. `onProgress` receives the completed fraction, 0 to 1.
 * @param transport sends the files; by default by XMLHttpRequest
 * @throws as {@link openExport} and {@link importSource}
 */
export async function importFile(
  file: Blob,
  signal: AbortSignal,
  onProgress: (share: number, sofar: ImportReport) => void,
  transport?: ProgressTransport,
): Promise<ImportReport> {
  const options = {
    ...browserTarget(signal, transport),
    signal,
    onProgress: (share: number, { report }: { report: ImportReport }) => onProgress(share, report),
  };
  return (await importSource(await openExport(file, joinBlob), options)).report;
}
