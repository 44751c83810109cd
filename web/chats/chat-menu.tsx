import { type ReactElement, useEffect, useRef, useState } from "react";
import { keysOfMenu } from "../locales/direction.ts";
import { Menu, MenuContent, MenuTrigger } from "../ui/components/menu.tsx";
import { ChatItems, MoveItems } from "./organise/chat-menu-items.tsx";

export type ChatMenuProps = {
  chat: { id: string; title: string };
  /** Where it opens: in a line of the list, which it can work on, or in the header of the open chat. */
  where: "line" | "header";
  trigger: ReactElement;
};

/**
 * What can be done with one chat. It is loaded when a menu is first opened, so items may bring what they need.
 *
 * Where items go: what changes how the chat is listed stands first (rename, pin, move, archive), then what is done with
 * its content (instructions, export), Delete last: see organise/chat-menu-items.tsx. What asks for more than a click opens
 * a dialog: add its kind to `ChatDialog` in chats-state.ts, call `openDialog` there, and render it in
 * organise/chat-dialogs.tsx. Texts are in locales/en/organise.json.
 */
export function ChatMenu({ chat, where, trigger }: ChatMenuProps) {
  /** What begins once the menu has closed, and takes the focus. */
  const next = useRef<(() => void) | null>(null);
  const content = useRef<HTMLDivElement>(null);
  /** The folders stand in the place of the other items: beside them there is no room on a phone. */
  const [isMoving, setMoving] = useState(false);
  useEffect(() => {
    // The first one is the way back.
    const items = content.current?.querySelectorAll<HTMLElement>("[role=menuitem]:not([data-disabled])");
    if (isMoving) items?.[1]?.focus();
    else if (document.activeElement === document.body) content.current?.focus();
  }, [isMoving]);
  const afterwards = (begin: () => void) => {
    next.current = begin;
  };
  const shared = { chat: chat.id, where, afterwards };

  return (
    <Menu defaultOpen modal={false} onOpenChange={() => setMoving(false)}>
      <MenuTrigger asChild>{trigger}</MenuTrigger>
      <MenuContent
        ref={content}
        onKeyDown={(event) => event.key === keysOfMenu().out && setMoving(false)}
        align={where === "line" ? "start" : "end"}
        onCloseAutoFocus={() => {
          // The button has the focus first: a dialog gives it back there.
          if (next.current) setTimeout(next.current);
          next.current = null;
        }}
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
