import { type ReactElement, useEffect, useRef, useState } from "react";
import { keysOfMenu } from "../locales/direction.ts";
import { Menu, MenuContent, MenuTrigger } from "../ui/components/menu.tsx";
import { useAfterClose } from "../ui/lazy/opened-menu.tsx";
import type { PointerOffset } from "./list/use-row-menu.ts";
import { ChatItems, MoveItems } from "./organise/chat-menu-items.tsx";

export type ChatMenuProps = {
  chat: { id: string; title: string };
  /** Location of the button: a line of the list, which the menu can edit, or the header of the open chat. */
  where: "line" | "header";
  trigger: ReactElement;
  isOpen: boolean;
  /** Position relative to the trigger; undefined is below it. */
  offset?: PointerOffset | undefined;
  onOpenChange: (isOpen: boolean) => void;
};

/**
 * Menu of one chat. It is loaded when a menu is first opened, so items may import the code that they need.
 *
 * Order of the items in organise/chat-menu-items.tsx: first items that change how the chat is listed (rename, pin,
 * move, archive), then items for its content (instructions, export), Delete last. An action that needs input opens a
 * dialog: add its kind to `ChatDialog` in chats-state.ts, call `openDialog` in chat-menu-items.tsx, and render it in
 * organise/chat-dialogs.tsx. Texts are in locales/en/organise.json.
 */
export function ChatMenu({ chat, where, trigger, isOpen, offset, onOpenChange }: ChatMenuProps) {
  const { afterwards, onCloseAutoFocus } = useAfterClose();
  const content = useRef<HTMLDivElement>(null);
  /** Whether the folders replace the other items: a phone has no room for a submenu. */
  const [isMoving, setMoving] = useState(false);
  useEffect(() => {
    // The first item is Back.
    const items = content.current?.querySelectorAll<HTMLElement>("[role=menuitem]:not([data-disabled])");
    if (isMoving) items?.[1]?.focus();
    else if (document.activeElement === document.body) content.current?.focus();
  }, [isMoving]);
  const shared = { chat: chat.id, where, afterwards };

  const change = (open: boolean) => {
    setMoving(false);
    onOpenChange(open);
  };

  return (
    <Menu open={isOpen} modal={false} onOpenChange={change}>
      <MenuTrigger asChild>{trigger}</MenuTrigger>
      <MenuContent
        ref={content}
        onKeyDown={(event) => event.key === keysOfMenu().out && setMoving(false)}
        align={where === "line" ? "start" : "end"}
        {...offset}
        onCloseAutoFocus={onCloseAutoFocus}
      >
        {isMoving ? (
          <MoveItems {...shared} onBack={() => setMoving(false)} />
        ) : (
          <ChatItems {...shared} onMove={() => setMoving(true)} />
        )}
      </MenuContent>
    </Menu>
  );
}
