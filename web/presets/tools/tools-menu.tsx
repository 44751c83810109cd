import { Check, Globe, Hammer } from "lucide-react";
import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../../accounts/session/session.ts";
import { useChatsSelector } from "../../chats/state/chats-store.ts";
import { useModelChoice } from "../../models/model-choice.ts";
import { useQuery } from "../../queries/use-query.ts";
import { useStore } from "../../store/use-store.ts";
import { cx } from "../../ui/components/cx.ts";
import { Menu, MenuContent, MenuItem, MenuLabel, MenuTrigger } from "../../ui/components/menu.tsx";
import { LazyMenu } from "../../ui/lazy/lazy-menu.tsx";
import { lazyModule } from "../../ui/lazy/lazy-module.ts";
import { useGoToPage } from "../../ui/use-go-to-settings.ts";
import { type PresetSession, selectPresetId, selectTools } from "../preset-choice.ts";
import { usePresetList } from "../preset-list.ts";
import { ToolButton } from "../tool-button.tsx";
import { requestedExplanation } from "./requested-explanation.ts";
import { type ChosenTools, switchTools, toolChoiceOf, WEB_TOOLS } from "./tool-choice.ts";
import { toolGroupHint, toolGroupName } from "./tool-group-words.ts";
import { toolGroupsQuery } from "./tool-groups-query.ts";

/** Loaded when the menu is first opened where servers have tools. */
const panelModule = lazyModule(() => import("./tools-panel.tsx"));

type ToolsMenuProps = { session: PresetSession };

/** The switch of web search, which is in the menu alone on a phone, and the menu of all tools of the chat. */
export function ToolsMenu({ session }: ToolsMenuProps) {
  const { t, i18n } = useTranslation("presets");
  const groups = useToolChoice(session);
  const isRequested = useStore(requestedExplanation) !== null;
  if (groups.length === 0) return null;
  const web = groups.find(({ slug }) => slug === WEB_TOOLS);
  const names = groups.filter(({ isChosen }) => isChosen).map(({ slug }) => toolGroupName(slug));
  // The switch shows that web search alone is chosen.
  const isCounted = groups.some(({ slug, isChosen }) => isChosen && slug !== WEB_TOOLS);
  const named = { names: new Intl.ListFormat(i18n.language).format(names), number: String(names.length) };
  // The visible number is in the name too: voice control finds a control by its visible text.
  const label = names.length === 0 ? t("tools.label") : isCounted ? t("tools.counted", named) : t("tools.named", named);
  const button = (
    <ToolButton label={label} icon={Hammer} isChosen={names.length > 0}>
      {isCounted && names.length}
    </ToolButton>
  );
  return (
    <>
      {web && <WebSwitch group={web} onSwitch={() => switchTools(session, WEB_TOOLS)} />}
      {groups.some(({ server }) => server) ? (
        <LazyMenu
          module={panelModule}
          trigger={button}
          menuProps={{ groups, onSwitch: (slug: string) => switchTools(session, slug) }}
          popup="dialog"
          isRequested={isRequested}
        />
      ) : (
        <PlainMenu groups={groups} session={session} trigger={button} />
      )}
    </>
  );
}

type PlainMenuProps = ToolsMenuProps & { groups: readonly ChosenTools[]; trigger: ReactElement };

/** The groups of Parley alone. */
function PlainMenu({ groups, session, trigger }: PlainMenuProps) {
  const { t } = useTranslation("presets");
  const web = groups.find(({ slug }) => slug === WEB_TOOLS);
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>{trigger}</MenuTrigger>
      <MenuContent align="start" side="top" aria-label={t("tools.label")}>
        <MenuLabel>{t("tools.label")}</MenuLabel>
        {(!web || web.isMissing) && <SetUpWebSearch />}
        {groups.map((group) => (
          <ToolItem key={group.slug} group={group} onSwitch={() => switchTools(session, group.slug)} />
        ))}
      </MenuContent>
    </Menu>
  );
}

type GroupProps = { group: ChosenTools; onSwitch: () => void };

function WebSwitch({ group, onSwitch }: GroupProps) {
  const { t } = useTranslation("presets");
  return (
    <ToolButton
      label={t("tools.web")}
      icon={Globe}
      isChosen={group.isChosen}
      aria-pressed={group.isChosen}
      className="aria-pressed:text-accent max-sm:hidden"
      onClick={onSwitch}
    >
      {group.isChosen && t("tools.webShort")}
    </ToolButton>
  );
}

function ToolItem({ group, onSwitch }: GroupProps) {
  const { slug, isChosen } = group;
  const hint = toolGroupHint(group);
  return (
    <MenuItem
      role="menuitemcheckbox"
      aria-checked={isChosen}
      onSelect={(event) => {
        // Several can be chosen in one visit of the menu.
        event.preventDefault();
        onSwitch();
      }}
    >
      <span className="flex min-w-0 flex-1 flex-col">
        {toolGroupName(slug)}
        {hint !== null && <span className="text-muted text-xs">{hint}</span>}
      </span>
      {/* Keeps its place: the menu must not become wider with the first choice. */}
      <Check aria-hidden="true" className={cx("text-accent", !isChosen && "invisible")} />
    </MenuItem>
  );
}

/** Leads an owner to the page of the search engine; other people cannot change that there is none. */
function SetUpWebSearch() {
  const { t } = useTranslation("presets");
  const goToPage = useGoToPage();
  if (useSession().user?.role !== "owner") return null;
  return (
    <MenuItem className="text-accent" onSelect={() => goToPage("/administration/web-search")}>
      {t("tools.setUpWeb")}
    </MenuItem>
  );
}

/** Subscribes to everything that the choice depends on. */
function useToolChoice(session: PresetSession): ChosenTools[] {
  useModelChoice(session.modelChoice);
  useQuery(toolGroupsQuery);
  usePresetList(session.presets);
  useChatsSelector(selectPresetId);
  useChatsSelector(selectTools);
  return toolChoiceOf(session);
}
