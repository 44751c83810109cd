import { Pencil } from "lucide-react";
import { type KeyboardEvent, type Ref, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/components/button.tsx";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { useGrownHeight } from "../../ui/components/use-grown-height.ts";
import { isComposing } from "../../ui/keys/press.ts";
import { enterSends } from "../../ui/keys/shortcuts.ts";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { settleFiles } from "../attachments/sent-files.ts";
import { useChatSession } from "../chat-session.ts";
import { isSendKey } from "../composer/is-send-key.ts";
import { useFocusOnBox } from "../composer-box.ts";
import { Draft } from "../draft.ts";
import { editOf } from "../stored-drafts.ts";
import { rememberBranch } from "./remembered-branches.ts";
import { useEditedDraft } from "./use-edited-draft.ts";
import { useIsBusy } from "./use-is-busy.ts";

/** Loaded with the first edited question that has files. */
const fileRowModule = lazyModule(() => import("../../files/attach/draft-file-row.tsx"));

type EditBoxProps = {
  chat: string;
  message: string;
  content: string;
  /** Called once the box is removed. */
  onEnd: () => void;
};

/** Box that edits a question: sending it creates a branch beside the original. */
export function EditBox({ chat, message, content, onEnd }: EditBoxProps) {
  const { t } = useTranslation(["branches", "app"]);
  const session = useChatSession();
  const { store, branches, drafts, modelChoice } = session;
  const focusOnBox = useFocusOnBox();
  const isBusy = useIsBusy(chat);
  const draftKey = editOf(chat, message);
  const { draft, write, files } = useEditedDraft(chat, message, content);
  const row = useLazyModule(fileRowModule, files !== undefined);
  const box = useGrowingBox(draft.text);
  const canSend = !isBusy && !draft.isEmpty;

  const cancel = () => {
    drafts.set(draftKey, Draft.empty);
    branches?.edits.end(chat);
    onEnd();
  };
  const send = async () => {
    const messages = store.getState().chats.conversations[chat]?.messages ?? [];
    const at = messages.findIndex(({ id }) => id === message);
    if (!canSend || at === -1 || !branches) return;
    const { replies, edits } = branches;
    rememberBranch(session, chat);
    drafts.set(draftKey, draft);
    const ticket = drafts.take(draftKey, modelChoice.current().value);
    edits.end(chat);
    focusOnBox();
    const outcome = await replies.sendAsBranch(chat, messages.slice(0, at), { ...ticket, ...ticket.draft });
    drafts.settle(ticket, outcome, outcome.chat === null ? null : draftKey);
    settleFiles(session, ticket, outcome);
    if (!outcome.isTaken && outcome.chat !== null) edits.begin(chat, message);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === "Escape" && !event.shiftKey) cancel();
    else if (isSendKey(event)) void send();
    else return;
    event.preventDefault();
  };

  return (
    <form
      className="mb-8 w-full pointer-coarse:mb-11"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div className="composer rounded-surface border border-outline bg-raised">
        {row && files && <row.default draft={files} onEmptied={() => box.current?.focus()} />}
        <textarea
          ref={box}
          rows={1}
          dir="auto"
          enterKeyHint={enterSends() ? "send" : "enter"}
          value={draft.text}
          aria-label={t("branches:editing.label")}
          aria-description={t("branches:editing.hint")}
          className="composer-text mt-1 block field-sizing-content max-h-[40vh] min-h-11 w-full resize-none overflow-y-auto bg-transparent px-4 py-2 leading-text outline-none"
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="flex flex-wrap items-center justify-end gap-2 px-2 pb-2">
          <p aria-hidden="true" className="min-w-0 flex-1 basis-full ps-2 text-muted text-xs sm:basis-40">
            {t("branches:editing.hint")}
          </p>
          <Button variant="quiet" size="small" onClick={cancel}>
            {t("app:cancel")}
          </Button>
          <Button type="submit" size="small" disabled={!canSend}>
            {t("branches:editing.send")}
          </Button>
        </div>
      </div>
    </form>
  );
}

/** Focuses the box at the end of its text, and grows it with the text. */
function useGrowingBox(text: string) {
  const box = useRef<HTMLTextAreaElement>(null);
  useGrownHeight(box, text);
  useEffect(() => {
    const area = box.current;
    area?.focus({ preventScroll: true });
    area?.setSelectionRange(area.value.length, area.value.length);
    area?.form?.scrollIntoView({ block: "nearest" });
  }, []);
  return box;
}

type EditButtonProps = { ref: Ref<HTMLButtonElement>; chat: string; message: string };

/** Button that edits a question. */
export function EditButton({ ref, chat, message }: EditButtonProps) {
  const { t } = useTranslation("branches");
  const { branches } = useChatSession();
  const isBusy = useIsBusy(chat);
  return (
    <IconButton
      ref={ref}
      label={t("edit")}
      icon={<Pencil aria-hidden="true" />}
      size="small"
      className="[&_svg]:size-4"
      disabled={isBusy}
      onClick={() => branches?.edits.begin(chat, message)}
    />
  );
}
