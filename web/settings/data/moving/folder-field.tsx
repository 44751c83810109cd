import { useId } from "react";
import { useTranslation } from "react-i18next";
import { folderListSchema } from "#contract/conversation/folders.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { FOLDER_NAME_MAX } from "#contract/limits.ts";
import { api } from "../../../api/client.ts";
import { useResource } from "../../../queries/use-resource.ts";
import { Field } from "../../../ui/components/fields/field.tsx";

const readFolders = (signal: AbortSignal) => api.get(conversationPaths.folders, folderListSchema, { signal });

/** Name of a folder. The existing folders are suggestions, without which it works too. */
export function FolderField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const { t } = useTranslation("moving");
  const { value: folders } = useResource(readFolders);
  const list = useId();
  return (
    <>
      <Field
        label={t("folder")}
        hint={t("folderHint")}
        list={list}
        maxLength={FOLDER_NAME_MAX}
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={list}>
        {folders?.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
    </>
  );
}
