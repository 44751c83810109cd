/** The dialog in which a file is read before and after it is sent. Loaded with the first file that is opened. */

import type { AttachedFile } from "#contract/files/files.ts";
import { isPicture } from "../file-kind.tsx";
import { DocumentViewer } from "./document-viewer.tsx";
import { PictureViewer } from "./picture-viewer.tsx";

type FileViewerProps = {
  /** Pictures are shown one by one. */
  files: readonly AttachedFile[];
  start: AttachedFile;
  onClose: () => void;
};

export default function FileViewer({ files, start, onClose }: FileViewerProps) {
  return isPicture(start) ? (
    <PictureViewer files={files.filter(isPicture)} start={start.id} onClose={onClose} />
  ) : (
    <DocumentViewer file={start} onClose={onClose} />
  );
}
