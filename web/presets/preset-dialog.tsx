import { useTranslation } from "react-i18next";
import type { NewPreset } from "#contract/conversation/preset-calls.ts";
import type { Preset } from "#contract/conversation/presets.ts";
import type { ModelGroup } from "#contract/models/models.ts";
import type { ChangedFields } from "../forms/changed-fields.ts";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { PresetForm } from "./preset-form.tsx";

type PresetDialogProps = {
  /** Null closes the dialog. */
  edited: Preset | "new" | null;
  groups: readonly ModelGroup[];
  onClose: () => void;
  onSave: (given: NewPreset, changed: ChangedFields<NewPreset>) => Promise<void>;
};

const blank: NewPreset = { name: "", instructions: "", model: null, temperature: null };

export function PresetDialog({ edited, groups, onClose, onSave }: PresetDialogProps) {
  const { t } = useTranslation("presets");
  return (
    <Dialog
      isOpen={edited !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t(edited === "new" ? "form.add" : "form.edit")}
    >
      <PresetForm
        draftKey={edited === "new" || edited === null ? "new" : edited.id}
        initial={edited === "new" || edited === null ? blank : edited}
        groups={groups}
        onCancel={onClose}
        onSave={onSave}
      />
    </Dialog>
  );
}
