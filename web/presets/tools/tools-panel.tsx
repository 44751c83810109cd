/** Lazy module of the tools of a chat where some are those of servers, with its texts. */

import { type ReactElement, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { normalizeText } from "#contract/text/normalize-text.ts";
import { useSession } from "../../accounts/session/session.ts";
import toolServers from "../../locales/en/toolServers.json";
import { registerTexts } from "../../locales/i18n.ts";
import { Button } from "../../ui/components/button.tsx";
import { CheckField } from "../../ui/components/fields/check-field.tsx";
import { FloatingSheet } from "../../ui/dialogs/floating-sheet.tsx";
import { useGoToPage } from "../../ui/use-go-to-settings.ts";
import { ServerChoice } from "./server-choice.tsx";
import { type ChosenTools, WEB_TOOLS } from "./tool-choice.ts";
import { toolGroupHint, toolGroupName } from "./tool-group-words.ts";

registerTexts("toolServers", toolServers);

/** Groups that are shown without a search field. */
const UNSEARCHED_MAX = 8;

type ToolsPanelProps = {
  trigger: ReactElement;
  groups: readonly ChosenTools[];
  onSwitch: (slug: string) => void;
};

/** Surface with the groups of tools of a chat, those of servers with what they can do. Open on mount: its button was pressed. */
export default function ToolsPanel({ trigger, groups, onSwitch }: ToolsPanelProps) {
  const { t } = useTranslation("presets");
  const [isOpen, setOpen] = useState(true);
  return (
    <FloatingSheet
      label={t("tools.label")}
      trigger={trigger}
      isOpen={isOpen}
      onOpenChange={setOpen}
      floatingClass="h-fit"
    >
      {(close) => <Groups groups={groups} onSwitch={onSwitch} close={close} />}
    </FloatingSheet>
  );
}

const fold = (text: string) => normalizeText(text, "NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Texts of a group by which it is found. */
const wordsOf = ({ slug, server }: ChosenTools): string =>
  fold(
    [toolGroupName(slug), server?.host ?? "", ...(server?.tools ?? []).map(({ name, title }) => title ?? name)].join(
      " ",
    ),
  );

type GroupsProps = Omit<ToolsPanelProps, "trigger"> & { close: ReactNode };

function Groups({ groups, onSwitch, close }: GroupsProps) {
  const { t } = useTranslation("toolServers");
  const { t: ofPresets } = useTranslation("presets");
  const [query, setQuery] = useState("");
  const isSearched = groups.length > UNSEARCHED_MAX;
  const shown = isSearched ? groups.filter((group) => wordsOf(group).includes(fold(query.trim()))) : groups;
  return (
    <>
      <div className="flex min-h-11 items-center gap-2 border-hairline border-b px-3 py-1.5">
        {isSearched ? (
          <input
            type="search"
            dir="auto"
            aria-label={t("search")}
            placeholder={t("search")}
            className="h-9 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-muted pointer-coarse:h-11"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        ) : (
          <p className="flex-1 font-medium text-sm">{ofPresets("tools.label")}</p>
        )}
        {close}
      </div>
      <div className="min-h-0 flex-1 divide-y divide-hairline overflow-y-auto overscroll-contain py-1">
        {shown.map((group) => (
          <GroupChoice key={group.slug} group={group} onSwitch={() => onSwitch(group.slug)} />
        ))}
      </div>
      {!groups.some(({ slug, isMissing }) => slug === WEB_TOOLS && !isMissing) && <SetUpWebSearch />}
      <p role="status" className="px-3 text-muted text-sm not-empty:py-3">
        {shown.length === 0 && t("none")}
      </p>
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

function GroupChoice({ group, onSwitch }: { group: ChosenTools; onSwitch: () => void }) {
  const { server } = group;
  if (server) return <ServerChoice group={{ ...group, server }} onSwitch={onSwitch} />;
  return (
    <div className="px-3 py-1.5">
      <CheckField
        label={toolGroupName(group.slug)}
        hint={toolGroupHint(group) ?? undefined}
        checked={group.isChosen}
        onChange={onSwitch}
      />
    </div>
  );
}
