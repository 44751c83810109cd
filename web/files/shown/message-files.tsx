/** The files of a message. Loaded with the first message that has some. */

import { useTranslation } from "react-i18next";
import type { AttachedFile } from "#contract/files/files.ts";
import files from "../../locales/en/files.json";
import { registerTexts } from "../../locales/i18n.ts";
import { isPicture } from "../file-kind.tsx";
import { frameStyle, pictureFrame, pictureGrid } from "../picture-frame.ts";
import { useFileViewer } from "../use-file-viewer.tsx";
import { FileCard } from "./file-card.tsx";
import { PictureThumbnail } from "./picture-thumbnail.tsx";

registerTexts("files", files);

/** Pictures as thumbnails, other files as cards. */
export default function MessageFiles({ files: all }: { files: readonly AttachedFile[] }) {
  const { t } = useTranslation("files");
  const shownPictures = all.filter(isPicture);
  const others = all.filter((file) => !isPicture(file));
  return (
    <ul aria-label={t("label")} className="flex max-w-full flex-wrap justify-end gap-2">
      {shownPictures.length > 0 && <Pictures files={shownPictures} />}
      {others.map((file) => (
        <li key={file.id} className="flex max-w-full">
          <FileCard file={file} />
        </li>
      ))}
    </ul>
  );
}

/** One picture in its own shape, several as squares of a grid. */
function Pictures({ files: shown }: { files: readonly AttachedFile[] }) {
  const { open, viewer } = useFileViewer(shown);
  const [only] = shown;
  const { columns, ...frame } = pictureGrid(shown.length);
  const ofLastRow = shown.length % columns;
  return (
    <>
      <li className="flex w-full justify-end">
        {shown.length === 1 && only ? (
          <PictureThumbnail
            file={only}
            style={frameStyle(pictureFrame(only.width, only.height))}
            onOpen={() => open(only.id)}
          />
        ) : (
          <ul
            className="grid gap-1.5"
            style={{ ...frameStyle(frame), gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
          >
            {shown.map((file, at) => (
              // An incomplete row stands at the side of the text.
              <li
                key={file.id}
                style={at === shown.length - ofLastRow ? { gridColumnStart: columns - ofLastRow + 1 } : undefined}
              >
                <PictureThumbnail file={file} className="aspect-square" onOpen={() => open(file.id)} />
              </li>
            ))}
          </ul>
        )}
      </li>
      {viewer}
    </>
  );
}
