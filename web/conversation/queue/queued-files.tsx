/** The files of queued messages. Loaded with the first queued message that has some. */

import { CircleAlert, RotateCcw, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { failureWords } from "../../files/attach/failure-words.ts";
import { ProgressRing } from "../../files/attach/progress-ring.tsx";
import { UploadAnnouncer } from "../../files/attach/upload-announcer.tsx";
import type { DraftFile, DraftFiles } from "../../files/draft-files.ts";
import { KindIcon, shownKindOf } from "../../files/file-kind.tsx";
import { MiddleCutName } from "../../files/middle-cut-name.tsx";
import { PictureOrIcon } from "../../files/picture-or-icon.tsx";
import filesTexts from "../../locales/en/files.json";
import { registerTexts } from "../../locales/i18n.ts";
import { Button } from "../../ui/components/button.tsx";
import { useFocusOnBox } from "../composer-box.ts";

registerTexts("files", filesTexts);

export { filesOfSession } from "../attachments/session-files.ts";

/** More files are counted only, unless they have failed. */
const MOST_NAMES = 4;

type QueuedFilesProps = {
  files: readonly DraftFile[];
  draft: Pick<DraftFiles, "remove" | "retry">;
};

/** The names of the files, and under them why a file has failed, with buttons that try it again or remove it. */
export default function QueuedFiles({ files, draft }: QueuedFilesProps) {
  const { t } = useTranslation("files");
  const failed = files.filter(({ state }) => state === "failed");
  const others = files.filter(({ state }) => state !== "failed");
  const rest = others.slice(MOST_NAMES);
  return (
    <div className="mb-1 flex flex-col gap-1.5 text-muted text-sm empty:hidden">
      {others.length > 0 && (
        <ul aria-label={t("label")} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {others.slice(0, MOST_NAMES).map((file) => (
            <li key={file.id} className="flex min-w-0 max-w-48 items-center gap-1.5">
              <Sign file={file} />
              <MiddleCutName name={file.name} />
            </li>
          ))}
          {rest.length > 0 && (
            <li>
              <span aria-hidden="true">+{rest.length}</span>
              <span className="sr-only">{rest.map(({ name }) => name).join(", ")}</span>
            </li>
          )}
        </ul>
      )}
      {failed.map((file) => (
        <FailedFile key={file.id} file={file} draft={draft} />
      ))}
      <UploadAnnouncer files={files} />
    </div>
  );
}

function Sign({ file: { name, type, state, progress, preview } }: { file: DraftFile }) {
  if (state !== "ready")
    return <ProgressRing progress={state === "uploading" ? progress : undefined} className="size-4 text-accent" />;
  if (preview) return <PictureOrIcon src={preview} alt="" className="size-5 shrink-0 rounded-small object-cover" />;
  return <KindIcon kind={shownKindOf(type, name)} className="size-4 shrink-0" />;
}

function FailedFile({
  file: { id, name, error, canRetry },
  draft,
}: { file: DraftFile } & Pick<QueuedFilesProps, "draft">) {
  const { t } = useTranslation("files");
  const focusOnBox = useFocusOnBox();
  const command = { variant: "quiet", size: "small", className: "px-2" } as const;
  // The buttons are removed.
  const focusAfter = (act: () => void) => () => {
    act();
    focusOnBox();
  };
  return (
    <div className="flex flex-wrap items-center gap-x-2 border-hairline border-t pt-1.5">
      <CircleAlert aria-hidden="true" className="size-4 shrink-0 text-danger" />
      <p className="min-w-0 flex-1 basis-48">
        <span className="flex text-ink">
          <MiddleCutName name={name} />
        </span>
        <span className="text-danger text-xs leading-text">{failureWords(error ?? "internal")}</span>
      </p>
      <div className="-me-2 ms-auto flex">
        {canRetry && (
          <Button {...command} aria-label={t("retryOf", { name })} onClick={focusAfter(() => draft.retry(id))}>
            <RotateCcw aria-hidden="true" className="size-4 text-muted" />
            {t("retry")}
          </Button>
        )}
        <Button {...command} aria-label={t("remove", { name })} onClick={focusAfter(() => draft.remove(id))}>
          <X aria-hidden="true" className="size-4 text-muted" />
        </Button>
      </div>
    </div>
  );
}
