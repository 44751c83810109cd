import { type KeyboardEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type AttachedFile, PDF_TYPE } from "#contract/files/files.ts";
import { cx } from "../../ui/components/cx.ts";
import { useFileFacts } from "../use-file-facts.ts";
import { PdfColumn } from "./pdf-column.tsx";
import { ReceivedText } from "./received-text.tsx";
import { usePageZoom } from "./use-page-zoom.ts";
import { ZoomButtons } from "./viewer-buttons.tsx";
import { ViewerFrame } from "./viewer-frame.tsx";

type DocumentViewerProps = { file: AttachedFile; onClose: () => void };

/** Shows what models receive of a file that is not a picture, and of a PDF its pages beside that. */
export function DocumentViewer({ file, onClose }: DocumentViewerProps) {
  const { t } = useTranslation("files");
  const facts = useFileFacts(file);
  const hasPages = file.type === PDF_TYPE;
  const pages = useRef<HTMLElement>(null);
  const text = useRef<HTMLElement>(null);
  const [shown, setShown] = useState<"pages" | "text">("pages");
  const [isDrawn, setDrawn] = useState(false);
  const zoom = usePageZoom(isDrawn);
  const onKeyDown = (event: KeyboardEvent) => {
    if (hasPages) zoom.onKeyDown(event);
  };
  return (
    <ViewerFrame
      file={file}
      facts={facts}
      description={t(hasPages ? "viewer.pagesArea" : "viewer.textArea")}
      tools={hasPages && <ZoomButtons zoom={zoom} />}
      initialFocus={hasPages ? pages : text}
      onKeyDown={onKeyDown}
      onClose={onClose}
    >
      {hasPages && (
        <fieldset className="m-0 flex justify-center gap-1 border-0 border-hairline border-b p-1.5 md:hidden">
          <legend className="sr-only">{file.name}</legend>
          {(["pages", "text"] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={shown === one}
              className="min-h-10 flex-1 rounded-control px-3 text-sm aria-pressed:bg-pressed aria-pressed:font-medium"
              onClick={() => setShown(one)}
            >
              {t(one === "pages" ? "viewer.pages" : "received.title")}
            </button>
          ))}
        </fieldset>
      )}
      <div className="flex min-h-0 flex-1">
        {hasPages && (
          <PdfColumn
            file={file}
            scale={zoom.scale ?? 1}
            scroller={pages}
            onDrawn={setDrawn}
            className={cx("min-w-0 flex-3", shown !== "pages" && "max-md:hidden")}
          />
        )}
        <ReceivedText
          file={file}
          scroller={text}
          className={cx(
            "min-w-0 flex-2",
            hasPages && "border-hairline md:border-s",
            hasPages && shown !== "text" && "max-md:hidden",
          )}
        />
      </div>
    </ViewerFrame>
  );
}
