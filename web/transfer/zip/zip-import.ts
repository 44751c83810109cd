/** Everything that an import of a zip needs. */

import { xhrTransport } from "../../files/upload/upload-transport.ts";
import { ArchiveUploads, type ArchiveUploadsDeps } from "./archive-uploads.ts";

export { openArchive } from "./export-archive.ts";

/** Begins the uploads of an archive. `transport`: by default XMLHttpRequest. */
export function beginUploads({
  transport = xhrTransport,
  ...deps
}: Omit<ArchiveUploadsDeps, "transport"> & {
  transport: ArchiveUploadsDeps["transport"] | undefined;
}): ArchiveUploads {
  return new ArchiveUploads({ ...deps, transport });
}
