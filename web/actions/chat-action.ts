import type { LucideIcon } from "lucide-react";
import type texts from "../locales/en/actions.json";
import type { Action } from "./action.ts";

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
