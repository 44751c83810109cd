/** The files of a draft in the composer. Loaded with the first one. */

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

/** The files, what keeps them from being sent, and what the model will not receive of them. */
export default function ComposerFiles({ chat }: { chat: string | null }) {
  const session = useChatSession();
  const draft = filesOfSession(session).at(chat);
  const all = useStore(draft.files);
  const focusOnBox = useFocusOnBox();
  return (
    <>
      <DraftFileRow key={chat} draft={draft} onEmptied={focusOnBox} />
      <SendState chat={chat} files={all} refusal={session.filesRefusal?.(all) ?? null} />
      <UnreadWarning files={all} choice={session.modelChoice} />
    </>
  );
}

/** `refusal`: why the files cannot be sent together. */
type SendStateProps = { chat: string | null; files: readonly DraftFile[]; refusal: ErrorCode | null };

/** Says that the message waits for its files, that one of them has failed, or that they are too large. */
function SendState({ chat, files: all, refusal }: SendStateProps) {
  const { t } = useTranslation(["files", "app", "errors"]);
  const { isWaiting, cancel } = useFileWait(useChatSession(), chat);
  const focusOnBox = useFocusOnBox();
  const count = all.filter(isUnderWay).length;
  const isOffline = all.some(({ error }) => error === "offline");
  const isFailed = all.some(({ state }) => state === "failed");
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
      {!isWaiting && isFailed && <p className="px-4 pt-2 text-muted leading-text">{t("files:blocked")}</p>}
      {!isWaiting && !isFailed && refusal !== null && (
        <p className="px-4 pt-2 text-danger leading-text">{t(`errors:${refusal}`)}</p>
      )}
    </div>
  );
}
