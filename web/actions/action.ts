import type { LucideIcon } from "lucide-react";
import type texts from "../locales/en/actions.json";
import type chat from "../locales/en/chat.json";
import type { ActionContext } from "./action-context.ts";

export const actionGroups = ["begin", "chat", "app", "help"] as const;
export type ActionGroup = (typeof actionGroups)[number];

export type ActionLabel =
  | `actions:label.${keyof typeof texts.label}`
  | `actions:keyLabel.${keyof typeof texts.keyLabel}`
  | `chat:settings.${keyof typeof chat.settings}`;

/** One of the things among which an action lets choose. */
export type Choice = {
  id: string;
  /** Already worded. */
  name: string;
  note?: string | undefined;
  isChosen?: boolean;
  run: () => void;
};

export type Action = {
  /** Where it is one of `shortcuts`, that is its key. */
  id: string;
  label: ActionLabel;
  /** Required for actions that the palette lists. */
  icon?: LucideIcon;
  /** Where the palette lists it; null for what is a key alone. */
  group: ActionGroup | null;
  isDanger?: boolean;
  /** It cannot simply be taken back: the palette does it only where it was stepped to or pointed at. */
  isDrastic?: boolean;
  /** It can be done where there are no chats on the page, too. */
  isEverywhere?: boolean;
  /** Whether it can be done now; without it, always. */
  when?: (context: ActionContext) => boolean;
  /** `isHeld`: by a key that repeats itself. */
  run: (context: ActionContext, isHeld: boolean) => void;
  /** Then {@link run} opens the palette with these to choose from. */
  choices?: (context: ActionContext) => Choice[];
};

/** Whether it can be done here and now. */
export const isPossible = ({ isEverywhere, when }: Action, context: ActionContext): boolean =>
  (context.hasChats || isEverywhere === true) && (when?.(context) ?? true);
