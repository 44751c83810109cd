import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AccountGroup, AccountGroupList } from "#contract/administration/groups.ts";
import { useAction } from "../../forms/use-action.ts";
import { useReveal } from "../../forms/use-reveal.ts";
import { useFocusRendered } from "../../page/use-focus-rendered.ts";
import { withProof } from "../../proof/proof.ts";
import { groupsApi } from "./groups-api.ts";

/** The list of groups, with its forms and actions. */
export type GroupList = ReturnType<typeof useGroupList>;

/**
 * Adds, edits and deletes the groups of a list. One form is open at a time: that of a new group, or that of the group
 * `edited`. `busy`: id of the group that is being deleted.
 */
export function useGroupList({ groups, choices }: AccountGroupList, onChange: (list: AccountGroupList) => void) {
  const { t } = useTranslation("groups");
  const form = useReveal();
  const [edited, setEdited] = useState<string | null>(null);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const { run, busy, failure } = useAction<string>();
  const focusRendered = useFocusRendered();

  const keep = (group: AccountGroup) => {
    const others = groups.filter(({ id }) => id !== group.id);
    const { budgetState } = groups.find(({ id }) => id === group.id) ?? {};
    const hasBudgetState = budgetState !== undefined && group.budget !== null;
    const updated = hasBudgetState ? { ...group, budgetState: { ...budgetState, limit: group.budget ?? 0 } } : group;
    onChange({ choices, groups: [...others, updated].sort((a, b) => a.name.localeCompare(b.name)) });
    setConfirmation(t("saved"));
    setEdited(null);
    form.close();
    focusRendered(group.id);
  };
  const remove = ({ id }: AccountGroup) =>
    run(id, async () => {
      setConfirmation(null);
      const { members, invitations } = await withProof(() => groupsApi.delete(id));
      onChange({ choices, groups: groups.filter((group) => group.id !== id) });
      const revoked = invitations > 0 ? ` ${t("revoked", { count: invitations })}` : "";
      setConfirmation(t("deleted", { count: members }) + revoked);
      form.trigger.current?.focus();
    });
  const openForm = () => {
    setConfirmation(null);
    setEdited(null);
    form.open();
  };
  const edit = (id: string) => {
    setConfirmation(null);
    form.close();
    setEdited(id);
  };
  const closeEdited = (id: string) => {
    setEdited(null);
    focusRendered(id);
  };
  return { groups, choices, form, openForm, edited, edit, closeEdited, keep, remove, busy, failure, confirmation };
}
