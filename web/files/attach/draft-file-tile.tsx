import { CircleAlert, RotateCcw, X } from "lucide-react";
import type { KeyboardEvent, Ref } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { tooltip } from "../../ui/tooltips/tooltip.ts";
import type { DraftFile } from "../draft-files.ts";
import { isPicture, KindIcon, shownKindOf } from "../file-kind.tsx";
import { MiddleCutName } from "../middle-cut-name.tsx";
import { PictureOrIcon } from "../picture-or-icon.tsx";
import { usePicture } from "../shown/pictures.ts";
import { useFileFacts } from "../use-file-facts.ts";
import { useFileViewer } from "../use-file-viewer.tsx";
import { failureWords } from "./failure-words.ts";
import { ProgressRing } from "./progress-ring.tsx";

type TileProps = {
  file: DraftFile;
  onRemove: () => void;
  onRetry: () => void;
  /** The button that removes the file, by which Tab reaches it. */
  removeButton: Ref<HTMLButtonElement>;
};

/** A file of a draft: a picture as a thumbnail, another file, and one that has failed, as a card. */
export function DraftFileTile({ file, onRemove, onRetry, removeButton }: TileProps) {
  const { name, state } = file;
  const isFailed = state === "failed";
  const isThumbnail = isPicture(file) && !isFailed;
  const ready = state === "ready" ? file.file : undefined;
  const { open, viewer } = useFileViewer(ready ? [ready] : []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Delete" && event.key !== "Backspace") return;
    event.preventDefault();
    onRemove();
  };
  return (
    <>
      <li
        className={cx(
          "relative flex min-h-14 max-w-full items-center rounded-control border bg-page",
          isFailed ? "w-80 border-danger/60" : "border-hairline",
          !isFailed && (isThumbnail ? "self-start" : "w-64"),
        )}
        onKeyDown={onKeyDown}
      >
        {isThumbnail ? <Thumbnail file={file} /> : <Card file={file} onRetry={onRetry} />}
        {ready && <OpenButton name={name} onClick={() => open(ready.id)} />}
        <RemoveButton name={name} isOverPicture={isThumbnail} onClick={onRemove} ref={removeButton} />
      </li>
      {/* Outside the item, whose keys would remove the file that is read. */}
      {viewer}
    </>
  );
}

/** Covers the whole tile, below the button that removes the file. */
function OpenButton({ name, onClick }: { name: string; onClick: () => void }) {
  const { t } = useTranslation("files");
  return (
    <button
      type="button"
      aria-label={t("open", { name })}
      aria-haspopup="dialog"
      {...tooltip(t("open", { name }))}
      className="absolute inset-0 cursor-zoom-in rounded-control hover:bg-hover/40"
      onClick={onClick}
    />
  );
}

function Thumbnail({ file }: { file: DraftFile }) {
  const { id, name, preview, state, type } = file;
  const words = useStateWords(file);
  // A picture of an edited question, or of a draft of an earlier page, has no bytes here.
  const stored = usePicture(id, preview === undefined && state === "ready");
  const address = preview ?? (stored.kind === "loaded" ? stored.url : undefined);
  return (
    <div className="relative size-14 overflow-hidden rounded-[7px] pointer-coarse:size-20" {...tooltip(name)}>
      {address !== undefined ? (
        <PictureOrIcon src={address} alt={name} className="size-full object-cover" />
      ) : (
        <span className="flex size-full items-center justify-center text-muted">
          <span className="sr-only">{name}</span>
          <KindIcon kind={shownKindOf(type, name)} className="size-5" />
        </span>
      )}
      {words !== null && (
        <>
          <span className="absolute inset-0 flex items-center justify-center bg-page/75 text-accent">
            <ProgressRing progress={shownProgress(file)} />
          </span>
          <span className="sr-only">{words}</span>
        </>
      )}
    </div>
  );
}

function Card({ file, onRetry }: { file: DraftFile; onRetry: () => void }) {
  const { t } = useTranslation("files");
  const { name, type, error, canRetry, state } = file;
  const facts = useFileFacts({ name, type: file.file?.type ?? type, size: file.size, pages: file.file?.pages });
  const words = useStateWords(file);
  const remark = file.file?.remark;
  const isFailed = state === "failed";
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2.5 py-1.5 ps-3 pe-9">
      <CardSign file={file} isBusy={words !== null} />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5 text-xs">
        <span className="flex font-medium text-sm">
          <MiddleCutName name={name} />
        </span>
        {isFailed ? (
          <span className="text-danger leading-text">{failureWords(error ?? "internal")}</span>
        ) : (
          <span className="truncate text-muted tabular-nums">{words ?? facts}</span>
        )}
        {!isFailed && remark && <span className="text-muted leading-text">{t(`remarks.${remark}`)}</span>}
        {isFailed && canRetry && (
          <Button
            variant="quiet"
            size="small"
            className="-ms-2 self-start px-2"
            aria-label={t("retryOf", { name })}
            onClick={onRetry}
          >
            <RotateCcw aria-hidden="true" className="size-4 text-muted" />
            {t("retry")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** What stands before the name: progress, the kind, or a failed picture. All have the same width. */
function CardSign({ file: { name, type, state, preview, ...file }, isBusy }: { file: DraftFile; isBusy: boolean }) {
  if (isBusy) return <ProgressRing progress={shownProgress({ state, ...file })} className="text-accent" />;
  if (state !== "failed") return <KindIcon kind={shownKindOf(type, name)} className="size-6 shrink-0 text-muted" />;
  return preview ? (
    <PictureOrIcon src={preview} alt="" className="size-10 shrink-0 rounded-small object-cover" />
  ) : (
    <CircleAlert aria-hidden="true" className="size-6 shrink-0 text-danger" />
  );
}

/** Progress of the ring; undefined if its duration is unknown. */
const shownProgress = ({ state, progress }: Pick<DraftFile, "state" | "progress">) =>
  state === "uploading" ? progress : undefined;

/** Returns the state of a file that is under way, in words; null for others. */
function useStateWords({ state, error }: DraftFile): string | null {
  const { t } = useTranslation("files");
  if (state === "ready" || state === "failed") return null;
  return error === undefined ? t(`states.${state}`) : failureWords(error);
}

type RemoveButtonProps = { name: string; isOverPicture: boolean; onClick: () => void; ref: Ref<HTMLButtonElement> };

/** Small beside the name; its target is larger where fingers press it. */
function RemoveButton({ name, isOverPicture, onClick, ref }: RemoveButtonProps) {
  const { t } = useTranslation("files");
  return (
    <button
      ref={ref}
      type="button"
      aria-label={t("remove", { name })}
      {...tooltip(t("remove", { name }))}
      className={cx(
        "absolute flex size-6 items-center justify-center rounded-full text-ink transition-colors",
        "pointer-coarse:after:absolute pointer-coarse:after:-inset-2.5",
        isOverPicture
          ? "end-0.5 top-0.5 border border-outline bg-raised hover:bg-sunken"
          : "end-1.5 top-1.5 text-muted hover:bg-hover hover:text-ink",
      )}
      onClick={onClick}
    >
      <X aria-hidden="true" className="size-3.5" />
    </button>
  );
}
