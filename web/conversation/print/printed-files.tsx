import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type AttachedFile, fileKindOf } from "#contract/files/files.ts";
import { usePicture } from "../../files/shown/pictures.ts";
import { sizeText } from "../../locales/size-text.ts";
import { usePrintHold } from "../../markdown/print-work.ts";

/** The files of a message on paper: pictures, and the names and sizes of other files. */
export function PrintedFiles({ files }: { files: readonly AttachedFile[] }) {
  return (
    <ul className="print-files">
      {files.map((file) => (
        <li key={file.id}>
          {fileKindOf(file.type) === "picture" ? <PrintedPicture file={file} /> : <FileLine file={file} />}
        </li>
      ))}
    </ul>
  );
}

/** Holds printing until the picture is decoded. A picture that cannot be loaded is a line, and noted on paper. */
function PrintedPicture({ file }: { file: AttachedFile }) {
  const { id, name, width, height } = file;
  const state = usePicture(id, true);
  const [isDecoded, setDecoded] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const isMissing = isBroken || state.kind === "failed";
  usePrintHold(!isDecoded && !isMissing, isMissing);
  if (isMissing) return <FileLine file={file} />;
  if (state.kind !== "loaded") return null;
  return (
    <img
      src={state.url}
      alt={name}
      {...{ width, height }}
      onLoad={() => setDecoded(true)}
      onError={() => setBroken(true)}
    />
  );
}

function FileLine({ file: { name, size } }: { file: AttachedFile }) {
  const { i18n } = useTranslation();
  return (
    <p className="print-file">
      <bdi>{name}</bdi> · {sizeText(size, i18n.language)}
    </p>
  );
}
