/** Lazy module of the tools of a chat where some are those of servers. */

import { type ReactElement, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../../accounts/session/session.ts";
import { useStore } from "../../store/use-store.ts";
import { Button } from "../../ui/components/button.tsx";
import { FloatingSheet } from "../../ui/dialogs/floating-sheet.tsx";
import { useGoToPage } from "../../ui/use-go-to-settings.ts";
import { requestedExplanation } from "./requested-explanation.ts";
import { type ChosenTools, WEB_TOOLS } from "./tool-choice.ts";
import { FoundGroups, GroupSearchField, useGroupSearch } from "./tool-group-list.tsx";

type ToolsPanelProps = {
  trigger: ReactElement;
  groups: readonly ChosenTools[];
  onSwitch: (slug: string) => void;
};

/**
 * Surface with the groups of tools of a chat, those of servers with what they can do. Open on mount, because its button
 * was pressed, and whenever an explanation is requested.
 */
export default function ToolsPanel({ trigger, groups, onSwitch }: ToolsPanelProps) {
  const { t } = useTranslation("presets");
  const [isOpen, setOpen] = useState(true);
  const isRequested = useStore(requestedExplanation) !== null;
  const change = (next: boolean) => {
    if (!next) requestedExplanation.set(null);
    setOpen(next);
  };
  if (isRequested && !isOpen) setOpen(true);
  return (
    <FloatingSheet
      label={t("tools.label")}
      trigger={trigger}
      isOpen={isOpen}
      onOpenChange={change}
      floatingClass="h-fit"
    >
      {(close) => <Groups groups={groups} onSwitch={onSwitch} close={close} />}
    </FloatingSheet>
  );
}

type GroupsProps = Omit<ToolsPanelProps, "trigger"> & { close: ReactNode };

function Groups({ groups, onSwitch, close }: GroupsProps) {
  const { t } = useTranslation("presets");
  const search = useGroupSearch(groups);
  return (
    <>
      <div className="flex min-h-11 items-center gap-2 border-hairline border-b px-3 py-1.5">
        {search.isOffered ? (
          <GroupSearchField
            search={search}
            className="h-9 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-muted pointer-coarse:h-11"
          />
        ) : (
          <p className="flex-1 font-medium text-sm">{t("tools.label")}</p>
        )}
        {close}
      </div>
      <FoundGroups
        search={search}
        onSwitch={onSwitch}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain py-1"
      />
      {!groups.some(({ slug, isMissing }) => slug === WEB_TOOLS && !isMissing) && <SetUpWebSearch />}
    </>
  );
}

/** Leads an owner to the page of the search engine. */
function SetUpWebSearch() {
  const { t } = useTranslation("presets");
  const goToPage = useGoToPage();
  if (useSession().user?.role !== "owner") return null;
  return (
    <div className="border-hairline border-t p-1.5">
      <Button
        variant="quiet"
        size="small"
        className="text-accent"
        onClick={() => goToPage("/administration/web-search")}
      >
        {t("tools.setUpWeb")}
      </Button>
    </div>
  );
}
