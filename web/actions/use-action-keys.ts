import { useEffect, useEffectEvent } from "react";
import { selectDialog } from "../chats/state/chats-selectors.ts";
import { isOverlaid } from "../ui/dialogs/is-overlaid.ts";
import { fieldOf, isApple, isSign, isTaken, type Press } from "../ui/keys/press.ts";
import { isShortcut, pressOf, shortcuts } from "../ui/keys/shortcuts.ts";
import { areSignsOn } from "../ui/keys/sign-keys.ts";
import { type Action, isPossible } from "./action.ts";
import { type ActionContext, type ActionsProps, useActionContext } from "./action-context.ts";
import { keepFocus } from "./keep-focus.ts";
import { actions } from "./registry.ts";

/** These go on as long as the key is held. */
const REPEATING: readonly string[] = ["previousChat", "nextChat"];

/** Runs the actions by their keys. */
export function useActionKeys(props: ActionsProps): void {
  const look = useActionContext(props);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (isTaken(event)) return;
    const found = actionOf(event);
    if (!found) return;
    const { action, press } = found;
    const context = look();
    if (action.id === "palette") {
      event.preventDefault();
      // Held, it would open and close it over and over.
      if (!event.repeat) togglePalette(context);
      return;
    }
    if (isOverlaid()) return;
    if (!counts(action, press, event, context)) return;
    const canBeDone = isPossible(action, context);
    // The browser is not to do something else with it only because there is nothing to be done.
    if (canBeDone || press.isMod) event.preventDefault();
    if (!canBeDone || (event.repeat && !REPEATING.includes(action.id))) return;
    action.run(context, event.repeat);
    keepFocus(context);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}

/** The key that has opened it closes it. */
function togglePalette({ kept, open }: ActionContext): void {
  if (selectDialog(kept.store.getState())?.kind === "palette") open(null);
  else if (!isOverlaid()) open({ kind: "palette" });
}

function actionOf(event: KeyboardEvent): { action: Action; press: Press } | undefined {
  for (const action of actions) {
    const press = isShortcut(action.id) ? pressOf(event, action.id) : undefined;
    if (press) return { action, press };
  }
}

/** Whether the key means the action where it was pressed. */
function counts({ id }: Action, press: Press, event: KeyboardEvent, { box }: ActionContext): boolean {
  const { target } = event;
  const field = fieldOf(event);
  if (isSign(press)) return field === null && areSignsOn();
  // What is written in a field has an undo of its own.
  if (id === "undo") return field === null;
  if (isShortcut(id) && shortcuts[id].place === "box") return target === box.current && box.current?.value === "";
  // With ⌥ keys go through what is written, or write other signs.
  if (press.isAlt && isApple() && isFilled(field)) return false;
  return id !== "stop" || isInChat(target);
}

const isFilled = (field: HTMLElement | null) =>
  (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) && field.value !== "";

const isInChat = (target: EventTarget | null) =>
  !(target instanceof Element) || target === document.body || target.closest("main") !== null;
