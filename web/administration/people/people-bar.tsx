import { Ellipsis, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ListedAccount } from "#contract/administration/administration.ts";
import type { AccountGroup } from "#contract/administration/groups.ts";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "../../ui/components/menu.tsx";
import { MoveToGroup } from "./move-to-group.tsx";
import { isAsking, useOfferedActs } from "./offered-acts.tsx";
import type { AccountActions } from "./use-account-actions.ts";

type PeopleBarProps = {
  accounts: readonly ListedAccount[];
  /** Groups into which they can be moved. */
  groups: readonly AccountGroup[];
  actions: AccountActions;
  onClear: () => void;
};

/** Number of the selected people, and the actions that apply to them, in one line. */
export function PeopleBar({ accounts, groups, actions, onClear }: PeopleBarProps) {
  const { t } = useTranslation("administration");
  const { act, busy } = actions;
  const { offered, start, question } = useOfferedActs(accounts, actions);
  return (
    <div className="flex min-w-0 flex-1 items-center gap-1 pe-1.5">
      <p role="status" className="me-auto truncate ps-1 font-medium text-sm tabular-nums">
        {t("people.selected", { count: accounts.length })}
      </p>
      {groups.length > 0 && (
        <MoveToGroup
          groups={groups}
          isBusy={busy === "set-group"}
          isHeld={busy !== null}
          onMove={(groupId) => void act(accounts, "set-group", groupId)}
        />
      )}
      {offered.length > 0 && (
        <Menu>
          <MenuTrigger asChild>
            <IconButton
              label={t("people.moreActions")}
              icon={<Ellipsis aria-hidden="true" />}
              size="small"
              className="shrink-0"
              aria-disabled={busy !== null || undefined}
            />
          </MenuTrigger>
          <MenuContent align="end">
            {offered.map((action) => (
              <MenuItem key={action} danger={isAsking(action)} onSelect={() => start(action)}>
                {t(`actions.${action}`)}
              </MenuItem>
            ))}
          </MenuContent>
        </Menu>
      )}
      <IconButton
        label={t("people.clear")}
        icon={<X aria-hidden="true" />}
        size="small"
        className="shrink-0"
        onClick={onClear}
      />
      {question}
    </div>
  );
}
