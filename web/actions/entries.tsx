import type { TFunction } from "i18next";
import { CornerDownRight, FolderInput, LogOut, PanelLeft } from "lucide-react";
import { beginsWith, matchWords } from "../search/match-words.ts";
import type { PaletteEntry } from "../search/palette-entry.ts";
import { cx } from "../ui/components/cx.ts";
import { ariaKeys } from "../ui/keys/key-names.ts";
import { Keys } from "../ui/keys/keys.tsx";
import { isShortcut, shortcuts } from "../ui/keys/shortcuts.ts";
import { type Action, actionGroups, type Choice, isPossible } from "./action.ts";
import type { ActionContext } from "./action-context.ts";
import { actions } from "./registry.ts";

/** Maximum number of entries: the pages and sections of the settings, which one word finds. */
const MOST = 10;

type Say = TFunction<["actions", "chat", "app"]>;
type Way = { context: ActionContext; t: Say; choose: (action: Action, choice?: Choice) => void };

/** Returns the possible actions that match the query. */
export function entriesOf(query: string, way: Way): PaletteEntry[] {
  const { context, t } = way;
  const offered = actionGroups.flatMap((group) =>
    actions.filter((action) => action.group === group && isPossible(action, context)),
  );
  if (query.trim() === "") return offered.map((action) => entryOf(action, way));
  const words = ({ label, alsoFoundBy }: Action) => [t(label), ...(alsoFoundBy ? [t(alsoFoundBy)] : [])].join(" ");
  const found = offered.filter((action) => matches(words(action), query));
  const first = found.filter((action) => beginsWith(t(action.label), query));
  const rest = found.filter((action) => !first.includes(action));
  // A choice is also found by its own name if its action does not match.
  const choices = offered.flatMap((action) =>
    found.includes(action) ? [] : choicesOf(action, way).filter(({ label }) => matches(label, query)),
  );
  return [...[...first, ...rest].map((action) => entryOf(action, way)), ...choices].slice(0, MOST);
}

/** Maximum number of choices of one action: a server may have hundreds of models. */
const MOST_CHOICES = 60;

/** Returns the choices of one action that match the query; the name of their group says if there are more of them. */
export function choicesInScope(action: Action, query: string, way: Way): PaletteEntry[] {
  const { context, t } = way;
  const found = (action.choices?.(context) ?? []).filter(({ name }) => query.trim() === "" || matches(name, query));
  const isCut = found.length > MOST_CHOICES;
  const group = isCut ? `${t(action.label)} · ${MOST_CHOICES}/${found.length}` : t(action.label);
  return found
    .slice(0, MOST_CHOICES)
    .map((choice) => ({ ...choiceOf(action, choice, way), label: choice.name, group }));
}

/** Icons that point along the line of text. */
const mirrored = new Set([CornerDownRight, FolderInput, LogOut, PanelLeft]);

const matches = (text: string, query: string) => (matchWords(text, query)?.length ?? 0) > 0;

function entryOf(action: Action, { t, choose }: Way): PaletteEntry {
  const { id, label, icon: Icon, group, isDanger, isDrastic } = action;
  const press = isShortcut(id) ? shortcuts[id].keys[0] : undefined;
  return {
    id,
    label: t(label),
    group: group ? t(`actions:group.${group}`) : "",
    icon: Icon && <Icon className={cx(mirrored.has(Icon) && "rtl:-scale-x-100")} />,
    keys: press && { shown: <Keys press={press} />, names: ariaKeys(press) },
    isDanger,
    isDrastic: isDanger || isDrastic,
    choose: () => choose(action),
  };
}

const choicesOf = (action: Action, way: Way) =>
  (action.choices?.(way.context) ?? []).map((choice) => choiceOf(action, choice, way));

function choiceOf(action: Action, choice: Choice, way: Way): PaletteEntry {
  const entry = entryOf(action, way);
  return {
    ...entry,
    id: `${action.id}-${choice.id}`,
    label: `${entry.label}: ${choice.name}`,
    keys: undefined,
    note: choice.note,
    isChosen: choice.isChosen,
    choose: () => way.choose(action, choice),
  };
}
