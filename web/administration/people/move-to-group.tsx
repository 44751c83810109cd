import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type AccountGroup, NO_GROUP } from "#contract/administration/groups.ts";
import { Button } from "../../ui/components/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { GroupSelect, useIsClosed } from "../groups/group-select.tsx";

type MoveToGroupProps = {
  groups: readonly AccountGroup[];
  isBusy: boolean;
  isHeld: boolean;
  onMove: (groupId: string | null) => void;
};

/** Button that asks for a group, and moves the selected people into it. */
export function MoveToGroup({ groups, isBusy, isHeld, onMove }: MoveToGroupProps) {
  const { t } = useTranslation("groups");
  const [isOpen, setIsOpen] = useState(false);
  const isClosed = useIsClosed();
  return (
    <>
      <Button
        variant="secondary"
        size="small"
        className="min-w-0"
        busy={isBusy}
        aria-disabled={isHeld || undefined}
        onClick={() => !isHeld && setIsOpen(true)}
      >
        <span className="truncate">{t("move.label")}</span>
      </Button>
      <Dialog isOpen={isOpen} onOpenChange={setIsOpen} title={t("move.label")}>
        <MoveForm
          groups={groups}
          isClosed={isClosed}
          onMove={(groupId) => {
            setIsOpen(false);
            onMove(groupId);
          }}
        />
      </Dialog>
    </>
  );
}

type MoveFormProps = Pick<MoveToGroupProps, "groups" | "onMove"> & { isClosed: (group: AccountGroup) => boolean };

function MoveForm({ groups, isClosed, onMove }: MoveFormProps) {
  const { t } = useTranslation("groups");
  const [chosen, setChosen] = useState("");
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen !== "") onMove(chosen === NO_GROUP ? null : chosen);
      }}
    >
      <GroupSelect
        groups={groups}
        label={t("group")}
        none={t("move.choose")}
        without={t("noGroup")}
        isDisabled={isClosed}
        value={chosen}
        onChange={setChosen}
      />
      <Button type="submit" disabled={chosen === ""} className="self-end">
        {t("move.move")}
      </Button>
    </form>
  );
}
