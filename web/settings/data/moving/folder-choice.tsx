import { useTranslation } from "react-i18next";
import { type ImportService, importServiceNames } from "#contract/transfer/transfer.ts";
import { CheckField } from "../../../ui/components/fields/check-field.tsx";
import type { Surveyed } from "./use-moving.ts";

/** `folders`: whether the folders of the service are taken over; `presets`: whether instructions of projects are. */
export type ServiceFiling = { folders: boolean; presets: boolean };

/** Returns the choice that a file suggests: its folders, if it names any of them. */
export const suggestedFiling = ({ folders }: Pick<Surveyed, "folders">): ServiceFiling => ({
  folders: folders.some(({ chats, name }) => chats > 0 && name !== ""),
  presets: false,
});

type FolderChoiceProps = {
  service: ImportService;
  folders: Surveyed["folders"];
  value: ServiceFiling;
  onChange: (value: ServiceFiling) => void;
};

/** Choices of the service's folders, which appear only if the file has chats in folders, or projects with instructions. */
export function FolderChoice({ service, folders, value, onChange }: FolderChoiceProps) {
  const { t } = useTranslation("moving");
  return (
    <>
      {folders.some(({ chats }) => chats > 0) && (
        <CheckField
          label={t("keepFolders", { service: importServiceNames[service] })}
          hint={t("keepFoldersHint")}
          checked={value.folders}
          onChange={({ target }) => onChange({ ...value, folders: target.checked })}
        />
      )}
      {folders.some(({ instructions }) => instructions !== "") && (
        <CheckField
          label={t("projectPresets")}
          hint={t("projectPresetsHint")}
          checked={value.presets}
          onChange={({ target }) => onChange({ ...value, presets: target.checked })}
        />
      )}
    </>
  );
}
