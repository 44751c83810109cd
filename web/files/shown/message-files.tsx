/** The files of a message. Loaded with the first message that has some. */

import { useTranslation } from "react-i18next";
import type { AttachedFile } from "#contract/files/files.ts";
import files from "../../locales/en/files.json";
import { registerTexts } from "../../locales/i18n.ts";
import { cx } from "../../ui/components/cx.ts";
import { isPicture } from "../file-kind.tsx";
import { frameStyle, pictureFrame, pictureGrid } from "../picture-frame.ts";
import { useFileViewer } from "../use-file-viewer.tsx";
import { FileCard } from "./file-card.tsx";
import { PictureThumbnail } from "./picture-thumbnail.tsx";

registerTexts("files", files);

type MessageFilesProps = { files: readonly AttachedFile[]; isOfAnswer?: boolean };

/** Pictures as thumbnails, other files as cards. Those of an answer stand at the side where its text begins. */
export default function MessageFiles({ files: all, isOfAnswer = false }: MessageFilesProps) {
  const { t } = useTranslation("files");
  const shownPictures = all.filter(isPicture);
  const others = all.filter((file) => !isPicture(file));
  return (
    <ul
      aria-label={t(isOfAnswer ? "ofAnswer" : "label")}
      className={cx("flex max-w-full flex-wrap gap-2", !isOfAnswer && "justify-end")}
    >
      {shownPictures.length > 0 && <Pictures files={shownPictures} isOfAnswer={isOfAnswer} />}
      {others.map((file) => (
        <li key={file.id} className="flex max-w-full">
          <FileCard file={file} />
        </li>
      ))}
    </ul>
  );
}

/** One picture in its own shape, several as squares of a grid. */
function Pictures({ files: shown, isOfAnswer }: Required<MessageFilesProps>) {
  const { t } = useTranslation("files");
  const { open, viewer } = useFileViewer(shown);
  const [only] = shown;
  const { columns, ...frame } = pictureGrid(shown.length);
  const ofLastRow = isOfAnswer ? 0 : shown.length % columns;
  const altOf = ({ name }: AttachedFile) => (isOfAnswer ? t("pictureOfAnswer", { name }) : name);
  return (
    <>
      <li className={cx("flex w-full", !isOfAnswer && "justify-end")}>
        {shown.length === 1 && only ? (
          <PictureThumbnail
            file={only}
            alt={altOf(only)}
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
                <PictureThumbnail
                  file={file}
                  alt={altOf(file)}
                  className="aspect-square"
                  onOpen={() => open(file.id)}
                />
              </li>
            ))}
          </ul>
        )}
      </li>
      {viewer}
    </>
  );
}
