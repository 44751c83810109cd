import { type KeyboardEvent, type MouseEvent, type PointerEvent, type Ref, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AttachedFile } from "#contract/files/files.ts";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { Spinner } from "../../ui/components/spinner.tsx";
import { useView } from "../../ui/zoom/use-view.ts";
import { pictureFraming, type Size, type View } from "../../ui/zoom/view.ts";
import type { PictureState } from "../shown/picture-cache.ts";
import { usePicture, usePictures } from "../shown/pictures.ts";
import { useSwipe } from "./use-swipe.ts";
import { StepButtons, ZoomButtons } from "./viewer-buttons.tsx";
import { ViewerFrame } from "./viewer-frame.tsx";

/** Scale to which a double click enlarges a picture that is shown at its own size already. */
const ENLARGED = 2.5;

type PictureViewerProps = {
  files: readonly AttachedFile[] /** Id of the first picture. */;
  start: string;
  onClose: () => void;
};

/** Shows the pictures of a message one by one, zoomed and moved by buttons, keys, wheel and fingers. */
export function PictureViewer({ files, start, onClose }: PictureViewerProps) {
  const { t } = useTranslation(["files"]);
  const close = useRef<HTMLButtonElement>(null);
  const { file, position, before, after, go } = useSteps(files, start);
  const pictures = usePictures();
  const state = usePicture(file.id, true);
  usePicture((before ?? file).id, true);
  usePicture((after ?? file).id, true);
  const [size, noteSize] = useSize(file);
  const viewed = useView(size, pictureFraming);
  const { view, isWhole, zoom, showAll } = viewed;
  const step = (by: 1 | -1) => {
    if (go(by)) showAll();
  };
  const swipe = useSwipe(isWhole, step);
  const scale = state.kind === "loaded" && view ? view.scale : null;

  const onKeyDown = (event: KeyboardEvent) => {
    const by = isWhole && !event.ctrlKey && !event.metaKey && !event.altKey ? stepOf(event.key) : null;
    if (by === null) return viewed.onKeyDown(event);
    event.preventDefault();
    step(by);
  };
  const onDoubleClick = ({ clientX, clientY, currentTarget }: MouseEvent) => {
    if (!isWhole) return showAll();
    const { left, top } = currentTarget.getBoundingClientRect();
    if (view) zoom(Math.max(1, view.scale * ENLARGED) / view.scale, { x: clientX - left, y: clientY - top });
  };
  const words = t("files:viewer.position", { n: position + 1, count: files.length });
  return (
    <ViewerFrame
      file={file}
      description={t("files:viewer.area")}
      tools={
        <>
          {files.length > 1 && <StepButtons {...{ words, before, after, step }} />}
          <ZoomButtons zoom={{ ...viewed, scale }} />
        </>
      }
      closeButton={close}
      onKeyDown={onKeyDown}
      onClose={onClose}
    >
      <p role="status" className="sr-only">
        {files.length > 1 && `${file.name}, ${words}`}
      </p>
      {state.kind === "failed" ? (
        <Failure
          isGone={state.isGone}
          onRetry={() => {
            // The retry button is removed: move the focus first.
            close.current?.focus();
            pictures.retry(file.id);
          }}
        />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the dialog and its buttons do the same
        <div
          dir="ltr"
          className={cx(
            "relative min-h-0 flex-1 touch-none select-none overflow-hidden bg-sunken",
            !isWhole && "cursor-grab active:cursor-grabbing",
          )}
          onDoubleClick={onDoubleClick}
          {...handlersOf(viewed.area, swipe)}
        >
          <Picture key={file.id} {...{ file, state, view, size }} onSize={noteSize} />
        </div>
      )}
      <p className="border-hairline border-t px-4 py-2 text-center text-muted text-xs leading-text">
        {t("files:received.picture")}
        {file.remark && ` ${t(`files:remarks.${file.remark}`)}.`}
      </p>
    </ViewerFrame>
  );
}

/** Returns the direction that an arrow key leads to; null for other keys. */
function stepOf(key: string): 1 | -1 | null {
  if (key !== "ArrowLeft" && key !== "ArrowRight") return null;
  return (key === "ArrowRight") === (document.dir !== "rtl") ? 1 : -1;
}

function useSteps(files: readonly AttachedFile[], start: string) {
  const [id, setId] = useState(start);
  const position = Math.max(
    0,
    files.findIndex((file) => file.id === id),
  );
  const [before, after] = [files[position - 1], files[position + 1]];
  const go = (by: 1 | -1) => {
    const next = by === 1 ? after : before;
    if (next) setId(next.id);
    return next !== undefined;
  };
  return { file: files[position] ?? NO_FILE, position, before, after, go };
}

const NO_FILE: AttachedFile = { id: "", name: "", type: "", size: 0 };

/** Returns the size of a picture: the server's, else that of the loaded picture. */
function useSize({ id, width, height }: AttachedFile): [Size | undefined, (natural: Size) => void] {
  const [natural, setNatural] = useState<{ id: string; size: Size } | null>(null);
  const size = width && height ? { width, height } : natural?.id === id ? natural.size : undefined;
  return [size, (found) => setNatural({ id, size: found })];
}

type Swipe = ReturnType<typeof useSwipe>;
type Area = ReturnType<typeof useView>["area"];

/** Both hooks listen to the same pointers. */
function handlersOf({ ref, ...area }: Area, swipe: Swipe) {
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    swipe.onPointerDown(event);
    area.onPointerDown(event);
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    swipe.onPointerUp(event);
    area.onPointerUp(event);
  };
  const onPointerCancel = (event: PointerEvent<HTMLElement>) => {
    swipe.onPointerCancel();
    area.onPointerCancel(event);
  };
  const box: Ref<HTMLDivElement> = ref;
  return { ...area, ref: box, onPointerDown, onPointerUp, onPointerCancel };
}

type PictureProps = {
  file: AttachedFile;
  state: PictureState;
  view: View | null;
  size: Size | undefined;
  onSize: (size: Size) => void;
};

function Picture({ file, state, view, size, onSize }: PictureProps) {
  if (state.kind !== "loaded") {
    return (
      <div className="flex size-full items-center justify-center text-muted">
        <Spinner className="size-6" />
      </div>
    );
  }
  return (
    <img
      src={state.url}
      alt={file.name}
      draggable={false}
      onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
        if (!size && width > 0 && height > 0) onSize({ width, height });
      }}
      className={cx("absolute top-0 left-0 max-w-none origin-top-left animate-fade", !view && "invisible")}
      style={
        view && size ? { ...size, transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` } : undefined
      }
    />
  );
}

function Failure({ isGone, onRetry }: { isGone: boolean; onRetry: () => void }) {
  const { t } = useTranslation("files");
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center justify-center gap-2 text-sm">
      <p role="alert">{t(isGone ? "gone" : "notLoaded")}</p>
      {!isGone && (
        <Button variant="secondary" size="small" onClick={onRetry}>
          {t("retry")}
        </Button>
      )}
    </div>
  );
}
