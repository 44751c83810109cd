import type { ProgressTransport } from "../files/upload/upload-transport.ts";
import { openExport } from "./export-source.ts";
import { type ImportReport, importSource } from "./import-source.ts";

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
    ...{ signal, transport },
    onProgress: (share: number, { report }: { report: ImportReport }) => onProgress(share, report),
  };
  return (await importSource(await openExport(file), options)).report;
}
