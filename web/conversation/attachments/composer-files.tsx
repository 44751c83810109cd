/** The files of a draft in the composer. Loaded with the first one. */

import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { ErrorCode } from "#contract/errors.ts";
import DraftFileRow from "../../files/attach/draft-file-row.tsx";
import { type DraftFile, isUnderWay } from "../../files/upload/upload-state.ts";
import files from "../../locales/en/files.json";
import { registerTexts } from "../../locales/i18n.ts";
import { useStore } from "../../store/use-store.ts";
import { Button } from "../../ui/components/button.tsx";
import { Spinner } from "../../ui/components/spinner.tsx";
import { useChatSession } from "../chat-session.ts";
import { useFocusOnBox } from "../composer-box.ts";
import { useFileWait } from "./file-waits.ts";
import { filesOfSession } from "./session-files.ts";
import { UnreadWarning } from "./unread-warning.tsx";

registerTexts("files", files);

export { attachFiles } from "./attach-files.ts";

type ComposerFilesProps = {
  chat: string | null;
  /** Receives why the files cannot be sent, in words; null while they can. */
  onBlock: (reason: string | null) => void;
};

/** The files, what keeps them from being sent, and what the model will not receive of them. */
export default function ComposerFiles({ chat, onBlock }: ComposerFilesProps) {
  const session = useChatSession();
  const draft = filesOfSession(session).at(chat);
  const all = useStore(draft.files);
  const focusOnBox = useFocusOnBox();
  const failed = all.filter(({ state }) => state === "failed");
  const reason = useBlock(failed.length > 0, session.filesRefusal?.(all) ?? null, onBlock);
  const removeFailed = () => {
    for (const { id } of failed) draft.remove(id);
    // The button is removed.
    focusOnBox();
  };
  return (
    <>
      <DraftFileRow key={chat} draft={draft} onEmptied={focusOnBox} />
      <SendState
        chat={chat}
        files={all}
        reason={reason}
        onRemoveFailed={failed.length > 0 ? removeFailed : undefined}
      />
      <UnreadWarning files={all} choice={session.modelChoice} />
    </>
  );
}

/** Returns and reports why the files cannot be sent: one has failed, or they cannot be sent together (`refusal`). */
function useBlock(
  hasFailed: boolean,
  refusal: ErrorCode | null,
  onBlock: ComposerFilesProps["onBlock"],
): string | null {
  const { t } = useTranslation(["files", "errors"]);
  const reason = hasFailed ? t("files:blocked") : refusal && t(`errors:${refusal}`);
  useEffect(() => {
    onBlock(reason);
    return () => onBlock(null);
  }, [onBlock, reason]);
  return reason;
}

type SendStateProps = {
  chat: string | null;
  files: readonly DraftFile[];
  /** Why the files cannot be sent. */
  reason: string | null;
  onRemoveFailed: (() => void) | undefined;
};

/** Says that the message waits for its files, or why it cannot be sent. */
function SendState({ chat, files: all, reason, onRemoveFailed }: SendStateProps) {
  const { t } = useTranslation(["files", "app"]);
  const { isWaiting, cancel } = useFileWait(useChatSession(), chat);
  const focusOnBox = useFocusOnBox();
  const count = all.filter(isUnderWay).length;
  const isOffline = all.some(({ error }) => error === "offline");
  return (
    // Rendered empty at first: screen readers announce only later changes of a live region.
    <div role="status" className="text-sm">
      {isWaiting && (
        <div className="flex flex-wrap items-center gap-x-2 px-4 pt-1.5 text-muted">
          <Spinner />
          {isOffline ? t("files:failure.offline") : t("files:waiting", { count })}
          <Button
            variant="quiet"
            size="small"
            className="text-ink"
            onClick={() => {
              cancel();
              // The button is removed.
              focusOnBox();
            }}
          >
            {t("app:cancel")}
          </Button>
        </div>
      )}
      {!isWaiting && reason !== null && (
        <div className="flex flex-wrap items-center gap-x-2 px-4 pt-2">
          <p className="min-w-0 flex-1 basis-60 text-danger leading-text">{reason}</p>
          {onRemoveFailed && (
            <Button variant="quiet" size="small" className="-mx-2 px-2" onClick={onRemoveFailed}>
              {t("files:removeFailed")}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
