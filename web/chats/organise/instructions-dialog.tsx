import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { INSTRUCTIONS_MAX } from "#contract/limits.ts";
import { unsavedWords } from "../../accounts/session/unsaved-words.ts";
import { api } from "../../api/client.ts";
import { issueText } from "../../api/problem-text.ts";
import { Button } from "../../ui/components/button.tsx";
import { TextArea } from "../../ui/components/fields/text-area.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { Banner } from "../../ui/notifications/banner.tsx";
import { chatEvents } from "../state/chats-slice.ts";
import { useChatsDispatch, useChatsSelector } from "../state/chats-store.ts";
import { wordFailure } from "../state/word-failure.ts";

type InstructionsDialogProps = { chat: string; onClose: () => void };

/** Dialog that edits the instructions of one chat, which must be loaded. */
export function InstructionsDialog({ chat, onClose }: InstructionsDialogProps) {
  const { t } = useTranslation("presets");
  const [isSaving, setSaving] = useState(false);
  return (
    <Dialog isOpen onOpenChange={onClose} title={t("chat.title")} description={t("chat.text")} isHeld={isSaving}>
      <InstructionsForm chat={chat} isSaving={isSaving} onSaving={setSaving} onClose={onClose} />
    </Dialog>
  );
}

type InstructionsFormProps = InstructionsDialogProps & { isSaving: boolean; onSaving: (isSaving: boolean) => void };

function InstructionsForm({ chat, isSaving, onSaving, onClose }: InstructionsFormProps) {
  const { t } = useTranslation("presets");
  const dispatch = useChatsDispatch();
  const stored = useChatsSelector(({ chats }) => chats.conversations[chat]?.instructions ?? "");
  const [unsaved] = useState(() => unsavedWords(`instructions:${chat}`));
  const [left] = useState(() => {
    const words = unsaved.read();
    return words === stored ? null : words;
  });
  const [text, setText] = useState(left ?? stored);
  const [failure, setFailure] = useState<string | null>(null);
  const label = t("chat.label");
  const isTooLong = text.length > INSTRUCTIONS_MAX;

  const write = (words: string) => {
    setText(words);
    unsaved.keep(words === stored ? null : words);
  };
  const cancel = () => {
    if (isSaving) return;
    unsaved.keep(null);
    onClose();
  };
  const save = async () => {
    const instructions = text.trim() === "" ? "" : text;
    setFailure(null);
    onSaving(true);
    try {
      if (instructions !== stored) {
        await api.patch(conversationPaths.chat(encodeURIComponent(chat)), { instructions }, null);
        dispatch(chatEvents.guide({ chat, change: { instructions } }));
      }
      unsaved.keep(null);
      onClose();
    } catch (cause) {
      setFailure(wordFailure(cause, t("chat.failed")));
    } finally {
      onSaving(false);
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React events bubble through portals to the React parent: the chat's form would be submitted too.
    event.stopPropagation();
    if (!isSaving && !isTooLong) void save();
  };

  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      {failure !== null && <Banner>{failure}</Banner>}
      <TextArea
        label={label}
        isLabelHidden
        rows={7}
        limit={INSTRUCTIONS_MAX}
        value={text}
        placeholder={t("chat.placeholder")}
        error={isTooLong ? issueText({ rule: "max", n: INSTRUCTIONS_MAX }, label) : undefined}
        onChange={(event) => write(event.target.value)}
      >
        {left !== null && text === left && <p className="text-muted">{t("unsaved")}</p>}
      </TextArea>
      <div className="flex justify-end gap-3">
        <Button variant="secondary" aria-disabled={isSaving || undefined} onClick={cancel}>
          {t("chat.cancel")}
        </Button>
        <Button type="submit" busy={isSaving} aria-disabled={isSaving || undefined}>
          {t(isSaving ? "chat.saving" : "chat.save")}
        </Button>
      </div>
    </form>
  );
}
