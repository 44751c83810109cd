import { useEffect, useEffectEvent } from "react";
import { selectCurrent, selectDialog, selectIsOpening } from "../chats/state/chats-selectors.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import type { ChatDialog } from "../chats/state/chats-state.ts";
import { useChatsDispatch, useChatsSelector } from "../chats/state/chats-store.ts";
import { type ChatSession, useChatSession } from "../conversation/chat-session.ts";
import { isOverlaid } from "../ui/dialogs/is-overlaid.ts";
import { fits, isTaken, type Press } from "../ui/keys/press.ts";
import { lazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";
import type { ActionsProps } from "./action-context.ts";
import { firstKeys, printKeys } from "./first-keys.ts";

/** Preloaded once the chat page is idle. */
export const actionsModule = lazyModule(() => import("./chat-page-actions.tsx"), "after-chat");

/** Mounts the actions of the chat page: shortcuts and palette, independent of the focus. */
export function ActionsMount(props: ActionsProps) {
  const dispatch = useChatsDispatch();
  const kind = useChatsSelector(selectDialog)?.kind;
  const actions = useLazyModule(actionsModule);
  useLazyModule(actionsModule, kind === "palette" || kind === "shortcuts" || kind === "print", () =>
    dispatch(chatEvents.organise({ dialog: null })),
  );
  const session = useChatSession();
  // The browser must not handle these keys while the other shortcuts are still loading.
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (actions || isTaken(event)) return;
    const fitsAny = (presses: readonly Press[]) => presses.some((press) => fits(event, press));
    const dialog = fitsAny(firstKeys.palette)
      ? ({ kind: "palette" } as const)
      : fitsAny(printKeys) && printDialog(props.page === "temporary" ? session.temporary : session);
    if (!dialog) return;
    event.preventDefault();
    if (event.repeat || isOverlaid()) return;
    dispatch(chatEvents.organise({ dialog }));
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  return actions && <actions.default {...props} />;
}

/** Returns the dialog that prints the open chat; undefined if there is nothing to print. */
function printDialog(session: ChatSession | null): ChatDialog | undefined {
  const root = session?.store.getState();
  const open = root && !selectIsOpening(root) ? selectCurrent(root) : null;
  return open?.messages.length ? { kind: "print", id: open.id } : undefined;
}
