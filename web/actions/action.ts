import type { LucideIcon } from "lucide-react";
import type texts from "../locales/en/actions.json";
import type chat from "../locales/en/chat.json";
import type { SettingsName } from "../ui/settings-sections.ts";
import type { ActionContext } from "./action-context.ts";

export const actionGroups = ["begin", "chat", "app", "help"] as const;
export type ActionGroup = (typeof actionGroups)[number];

export type ActionLabel =
  | `actions:label.${keyof typeof texts.label}`
  | `actions:keyLabel.${keyof typeof texts.keyLabel}`
  | `chat:settings.${keyof typeof chat.settings}`
  | SettingsName;

/** One of the choices that an action offers. */
export type Choice = {
  id: string;
  /** Translated. */
  name: string;
  note?: string | undefined;
  isChosen?: boolean;
  run: () => void;
};

export type Action = {
  /** An id of `shortcuts` is also the action's shortcut. */
  id: string;
  label: ActionLabel;
  /** Further text by which the palette finds the action. */
  alsoFoundBy?: "app:page.settings" | "actions:toolServers";
  /** Required for actions that the palette lists. */
  icon?: LucideIcon;
  /** Group in the palette; null for an action that has a shortcut only. */
  group: ActionGroup | null;
  isDanger?: boolean;
  /** Hard to undo: the palette runs it only after the person has explicitly highlighted it. */
  isDrastic?: boolean;
  /** While the action is impossible, the browser's own shortcut gets its key. */
  isBrowsers?: boolean;
  /** Also available on pages without chats. */
  isEverywhere?: boolean;
  /** Whether the action is possible now; by default always. */
  when?: (context: ActionContext) => boolean;
  /** `isHeld`: triggered by key repeat. */
  run: (context: ActionContext, isHeld: boolean) => void;
  /** Choices that {@link run} opens the palette with. */
  choices?: (context: ActionContext) => Choice[];
};

/** Whether an action is possible on this page and in this state. */
export const isPossible = ({ isEverywhere, when }: Action, context: ActionContext): boolean =>
  (context.hasChats || isEverywhere === true) && (when?.(context) ?? true);

type Label = keyof typeof texts.label;

/** Returns an action on the current chat, named by the label of its id. */
export const chatAction = (id: Label, icon: LucideIcon, run: Action["run"], rest: Partial<Action> = {}): Action => ({
  id,
  label: `actions:label.${id}`,
  icon,
  group: "chat",
  run,
  ...rest,
});

/** Returns an action on the current chat that opens the palette with its choices. */
export const choiceAction = (
  id: Label,
  icon: LucideIcon,
  choices: Action["choices"] & {},
  when: Action["when"] & {} = () => true,
): Action => chatAction(id, icon, ({ open }) => open({ kind: "palette", scope: id }), { choices, when });
