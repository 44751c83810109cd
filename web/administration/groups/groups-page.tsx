import { useState } from "react";
import { useTranslation } from "react-i18next";
import { hasRole } from "#contract/accounts/roles.ts";
import { type AccountGroup, type AccountGroupList, GROUPS_MAX } from "#contract/administration/groups.ts";
import { useSession } from "../../accounts/session/session.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatus } from "../../forms/form-status.tsx";
import groupTexts from "../../locales/en/groups.json";
import { registerTexts } from "../../locales/i18n.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { useResource } from "../../queries/use-resource.ts";
import { Button } from "../../ui/components/button.tsx";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { useHasRole } from "../use-has-role.ts";
import { GroupCard } from "./group-card.tsx";
import { GroupForm } from "./group-form.tsx";
import { readGroups } from "./groups-api.ts";
import { type GroupList, useGroupList } from "./use-group-list.ts";

registerTexts("groups", groupTexts);

/** Groups of accounts: those there are, and forms for them. Managers see their own group, and change nothing. */
export function GroupsPage() {
  const { t } = useTranslation("groups");
  const { user } = useSession();
  const { value, error, reload, change } = useResource(readGroups);
  const mayChange = hasRole(user?.role ?? "person", "administrator");
  return (
    <>
      <p className="mt-2 text-pretty text-muted leading-text">{mayChange ? t("text") : t("textOwn")}</p>
      {error !== null && <LoadFailure error={error} onRetry={() => void reload()} className="mt-6" />}
      {value === null && error === null && <LinesLoading lines={6} />}
      {value !== null && mayChange && <Groups list={value} onChange={change} />}
      {value !== null && !mayChange && <OwnGroup list={value} />}
    </>
  );
}

const emptyClass = "mt-6 rounded-surface border border-hairline border-dashed px-6 py-10";

function OwnGroup({ list: { groups, choices } }: { list: AccountGroupList }) {
  const { t } = useTranslation("groups");
  if (groups.length === 0) {
    return <EmptyState title={t("emptyOwn")} text={t("emptyOwnText")} className={emptyClass} />;
  }
  return (
    <ul aria-label={t("list")} className="mt-6 flex flex-col gap-4">
      {groups.map((group) => (
        <GroupCard key={group.id} group={group} choices={choices} />
      ))}
    </ul>
  );
}

type GroupsProps = { list: AccountGroupList; onChange: (list: AccountGroupList) => void };

function Groups({ list, onChange }: GroupsProps) {
  const { t } = useTranslation("groups");
  const state = useGroupList(list, onChange);
  const { form, failure, confirmation } = state;
  const [asked, setAsked] = useState<AccountGroup | null>(null);
  const { groups, choices } = list;
  const isFull = groups.length >= GROUPS_MAX;
  return (
    <>
      {!form.isOpen && (
        <Button
          ref={form.trigger}
          className="mt-6"
          aria-disabled={isFull || undefined}
          onClick={() => isFull || state.openForm()}
        >
          {t("add")}
        </Button>
      )}
      {isFull && <p className="mt-2 text-muted text-sm">{t("full", { max: GROUPS_MAX })}</p>}
      {form.isOpen && <GroupForm choices={choices} onSaved={state.keep} onCancel={form.close} />}
      <FailureBanner failure={failure} className="mt-6" />
      <div className={confirmation === null ? "sr-only" : "mt-6"}>
        <FormStatus text={confirmation} />
      </div>
      {groups.length === 0 && !form.isOpen && (
        <EmptyState title={t("empty")} text={t("emptyText")} className={emptyClass} />
      )}
      {groups.length > 0 && (
        <ul aria-label={t("list")} className="mt-6 flex flex-col gap-4">
          {groups.map((group) => (
            <GroupEntry key={group.id} group={group} list={state} onDelete={() => setAsked(group)} />
          ))}
        </ul>
      )}
      <ConfirmDialog
        isOpen={asked !== null}
        onOpenChange={(isOpen) => !isOpen && setAsked(null)}
        title={asked ? t("deleteTitle", { name: asked.name }) : ""}
        description={asked ? t("deleteText", { count: asked.members }) : ""}
        confirmLabel={t("delete")}
        onConfirm={() => asked && void state.remove(asked)}
      />
    </>
  );
}

type GroupEntryProps = { group: AccountGroup; list: GroupList; onDelete: () => void };

/** A group, or its form while it is edited. */
function GroupEntry({ group, list, onDelete }: GroupEntryProps) {
  const { t } = useTranslation("groups");
  const isOwner = useHasRole("owner");
  const { choices, busy } = list;
  if (group.id === list.edited) {
    return (
      <li className="-mt-6">
        <GroupForm group={group} choices={choices} onSaved={list.keep} onCancel={() => list.closeEdited(group.id)} />
      </li>
    );
  }
  if (group.isOwnersOnly && !isOwner) return <GroupCard group={group} choices={choices} note={t("ownersOnly")} />;
  const actions = {
    isBusy: busy === group.id,
    onEdit: () => list.edit(group.id),
    onDelete: () => busy === null && onDelete(),
  };
  return <GroupCard group={group} choices={choices} actions={actions} />;
}
