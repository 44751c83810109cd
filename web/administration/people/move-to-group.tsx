import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AccountGroup } from "#contract/groups.ts";
import { Button } from "../../ui/components/button.tsx";
import { GroupSelect, useIsClosed } from "../groups/group-select.tsx";

type MoveToGroupProps = {
  groups: readonly AccountGroup[];
  isBusy: boolean;
  isHeld: boolean;
  onMove: (groupId: string | null) => void;
};

/** Choice of a group for the selected people, with the button that moves them. */
export function MoveToGroup({ groups, isBusy, isHeld, onMove }: MoveToGroupProps) {
  const { t } = useTranslation("groups");
  const [chosen, setChosen] = useState("");
  return (
    <div className="mt-3 mb-4 flex flex-wrap items-end gap-2">
      <GroupSelect
        groups={groups}
        label={t("move.label")}
        none={t("noGroup")}
        isDisabled={useIsClosed()}
        value={chosen}
        onChange={setChosen}
        className="min-w-48 max-w-72 flex-1"
      />
      <Button
        variant="secondary"
        className="min-h-11"
        busy={isBusy}
        aria-disabled={isHeld || undefined}
        onClick={() => !isHeld && onMove(chosen || null)}
      >
        {t("move.move")}
      </Button>
    </div>
  );
}
