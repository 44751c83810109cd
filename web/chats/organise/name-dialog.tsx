import { useState } from "react";
import { useTranslation } from "react-i18next";
import { oneLine } from "#contract/text/name-text.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";

type NameDialogProps = {
  title: string;
  label: string;
  name: string;
  maxLength: number;
  confirmLabel: string;
  onName: (name: string) => void;
  onClose: () => void;
};

/** Dialog that prompts for a name. */
export function NameDialog({ title, label, name, maxLength, confirmLabel, onName, onClose }: NameDialogProps) {
  const { t } = useTranslation("app");
  const [text, setText] = useState(name);
  const written = oneLine(text);
  return (
    <Dialog isOpen onOpenChange={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (written === "") return;
          onClose();
          if (written !== name) onName(written);
        }}
      >
        <Field
          label={label}
          value={text}
          maxLength={maxLength}
          autoComplete="off"
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div className="mt-6 flex justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" disabled={written === ""}>
            {confirmLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
