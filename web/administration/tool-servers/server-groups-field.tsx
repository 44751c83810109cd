import { useId } from "react";
import { useTranslation } from "react-i18next";
import { RadioChoices } from "../../ui/components/fields/radio-choices.tsx";
import { useGroups } from "../groups/group-select.tsx";
import type { ToolServerFormState } from "./use-tool-server-form.ts";

/** Who may use a server: everybody, or the members of groups. */
export function ServerGroupsField({ state: { server, form, groups } }: { state: ToolServerFormState }) {
  const { t } = useTranslation("mcpServers");
  const kinds = [
    { value: true, title: t("form.everyone"), text: t("form.everyoneText") },
    { value: false, title: t("form.some"), text: t("form.someText") },
  ];
  const { chosen, isMissing } = groups;
  const refusal = form.fieldProps("groups").error;
  const error = isMissing ? t("form.pick") : refusal;
  return (
    <div className="flex flex-col gap-3">
      <RadioChoices
        label={t("form.access")}
        choices={kinds}
        value={chosen === null}
        onChange={(isAll) => groups.chooseAll(isAll)}
      />
      {chosen !== null && (
        <GroupBoxes chosen={chosen} stored={server?.groups ?? []} error={error} onChange={groups.change} />
      )}
    </div>
  );
}

type GroupBoxesProps = {
  chosen: readonly string[];
  stored: readonly { id?: string | undefined; name?: string | undefined }[];
  error: string | undefined;
  onChange: (chosen: readonly string[]) => void;
};

function GroupBoxes({ chosen, stored, error, onChange }: GroupBoxesProps) {
  const { t } = useTranslation("mcpServers");
  const id = useId();
  const groups = useGroups();
  // A deleted group stays in the list, so that it can be unchosen.
  const gone = stored.flatMap((group) =>
    group.id !== undefined && group.name === undefined ? [{ id: group.id, name: t("groups.gone") }] : [],
  );
  const all = [...groups.map((group) => ({ id: group.id, name: group.name })), ...gone];
  const toggle = (group: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, group] : chosen.filter((each) => each !== group));
  return (
    <fieldset aria-describedby={error === undefined ? undefined : id} className="min-w-0">
      <legend className="sr-only">{t("form.some")}</legend>
      {all.length === 0 && <p className="text-muted text-sm">{t("form.noGroups")}</p>}
      {all.length > 0 && (
        <div className="max-h-60 overflow-y-auto rounded-control border border-outline p-1.5">
          {all.map((group) => (
            <label
              key={group.id}
              className="flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-2 text-sm hover:bg-hover pointer-coarse:min-h-11"
            >
              <input
                type="checkbox"
                checked={chosen.includes(group.id)}
                onChange={({ target }) => toggle(group.id, target.checked)}
                className="size-4.5 shrink-0 accent-accent"
              />
              <bdi className="min-w-0 [overflow-wrap:anywhere]">{group.name}</bdi>
            </label>
          ))}
        </div>
      )}
      {error !== undefined && (
        <p id={id} role="alert" className="mt-1 text-danger text-xs">
          {error}
        </p>
      )}
    </fieldset>
  );
}
