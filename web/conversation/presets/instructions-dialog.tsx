import "../../locales/preset-texts.ts";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { INSTRUCTIONS_MAX } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { api } from "../../api/client.ts";
import { issueText } from "../../api/problem-text.ts";
import { chatEvents } from "../../chats/chats-slice.ts";
import { useChatsDispatch, useChatsSelector } from "../../chats/chats-store.ts";
import { wordFailure } from "../../chats/word-failure.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { openInstructions } from "./instructions-opening.ts";

/** What models are told in one chat alone. */
export default function InstructionsDialog({ chat, isOpen }: { chat: string; isOpen: boolean }) {
  const { t } = useTranslation("presets");
  const [isSaving, setSaving] = useState(false);
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(open) => !open && openInstructions(null)}
      title={t("chat.title")}
      description={t("chat.text")}
      isHeld={isSaving}
    >
      <InstructionsForm chat={chat} isSaving={isSaving} onSaving={setSaving} />
    </Dialog>
  );
}

type InstructionsFormProps = { chat: string; isSaving: boolean; onSaving: (isSaving: boolean) => void };

function InstructionsForm({ chat, isSaving, onSaving }: InstructionsFormProps) {
  const { t } = useTranslation("presets");
  const dispatch = useChatsDispatch();
  const stored = useChatsSelector(({ chats }) => chats.conversations[chat]?.instructions ?? "");
  const [text, setText] = useState(stored);
  const [failure, setFailure] = useState<string | null>(null);
  const label = t("chat.label");
  const isTooLong = text.length > INSTRUCTIONS_MAX;

  const save = async () => {
    const instructions = text.trim() === "" ? "" : text;
    setFailure(null);
    onSaving(true);
    try {
      if (instructions !== stored) {
        await api.patch(paths.chat(encodeURIComponent(chat)), { instructions }, null);
        dispatch(chatEvents.guide({ chat, change: { instructions } }));
      }
      openInstructions(null);
    } catch (cause) {
      setFailure(wordFailure(cause, t("chat.failed")));
    } finally {
      onSaving(false);
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React hands events on to where a dialog is written: the box of the chat would be sent too.
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
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex justify-end gap-3">
        <Button
          variant="secondary"
          aria-disabled={isSaving || undefined}
          onClick={() => !isSaving && openInstructions(null)}
        >
          {t("chat.cancel")}
        </Button>
        <Button type="submit" busy={isSaving} aria-disabled={isSaving || undefined}>
          {t(isSaving ? "chat.saving" : "chat.save")}
        </Button>
      </div>
    </form>
  );
}
