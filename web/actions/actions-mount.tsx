import { useEffect, useEffectEvent } from "react";
import { selectDialog } from "../chats/state/chats-selectors.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { useChatsDispatch, useChatsSelector } from "../chats/state/chats-store.ts";
import { isOverlaid } from "../ui/dialogs/is-overlaid.ts";
import { fits, isTaken } from "../ui/keys/press.ts";
import { lazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";
import type { ActionsProps } from "./action-context.ts";
import { firstKeys } from "./first-keys.ts";

/** Preloaded once the chat page is idle. */
export const actionsModule = lazyModule(() => import("./chat-page-actions.tsx"), "behind-chat");

/** Mounts the actions of the chat page: shortcuts and palette, independent of the focus. */
export function ActionsMount(props: ActionsProps) {
  const dispatch = useChatsDispatch();
  const kind = useChatsSelector(selectDialog)?.kind;
  const actions = useLazyModule(actionsModule);
  useLazyModule(actionsModule, kind === "palette" || kind === "shortcuts", () =>
    dispatch(chatEvents.organise({ dialog: null })),
  );
  // The browser must not handle this key while the other shortcuts are still loading.
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (actions || isTaken(event) || !firstKeys.palette.some((press) => fits(event, press))) return;
    event.preventDefault();
    if (event.repeat || isOverlaid()) return;
    dispatch(chatEvents.organise({ dialog: { kind: "palette" } }));
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  return actions && <actions.default {...props} />;
}
