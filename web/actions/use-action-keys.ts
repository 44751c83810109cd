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

/** Actions that repeat while the key is held. */
const REPEATING: readonly string[] = ["previousChat", "nextChat"];

/** Runs the actions on their shortcuts. */
export function useActionKeys(props: ActionsProps): void {
  const readContext = useActionContext(props);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (isTaken(event)) return;
    const found = actionOf(event);
    if (!found) return;
    const { action, press } = found;
    const context = readContext();
    if (action.id === "palette") {
      event.preventDefault();
      // Ignore key repeat, which would toggle the palette continuously.
      if (!event.repeat) togglePalette(context);
      return;
    }
    if (isOverlaid()) return;
    if (!counts(action, press, event, context)) return;
    const canBeDone = isPossible(action, context);
    // An impossible action must not hand the key to the browser's own shortcut, which does something else.
    if (canBeDone || (press.isMod && !action.isBrowsers)) event.preventDefault();
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

/** Opens the palette, or closes it if it is open. */
function togglePalette({ storedSession, open }: ActionContext): void {
  if (selectDialog(storedSession.store.getState())?.kind === "palette") open(null);
  else if (!isOverlaid()) open({ kind: "palette" });
}

function actionOf(event: KeyboardEvent): { action: Action; press: Press } | undefined {
  for (const action of actions) {
    const press = isShortcut(action.id) ? pressOf(event, action.id) : undefined;
    if (press) return { action, press };
  }
}

/** Whether the shortcut applies at the event's target. */
function counts({ id }: Action, press: Press, event: KeyboardEvent, { box }: ActionContext): boolean {
  const { target } = event;
  const field = fieldOf(event);
  if (isSign(press)) return field === null && areSignsOn();
  // A field has its own undo.
  if (id === "undo") return field === null;
  if (isShortcut(id) && shortcuts[id].scope === "box") return target === box.current && box.current?.value === "";
  // In a field with text, ⌥ moves the caret or types other characters.
  if (press.isAlt && isApple() && isFilled(field)) return false;
  return id !== "stop" || isInChat(target);
}

const isFilled = (field: HTMLElement | null) =>
  (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) && field.value !== "";

const isInChat = (target: EventTarget | null) =>
  !(target instanceof Element) || target === document.body || target.closest("main") !== null;
