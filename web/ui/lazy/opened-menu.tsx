import { type ComponentProps, type FocusEvent, type ReactElement, useRef } from "react";
import { Menu, MenuContent, MenuTrigger } from "../components/menu.tsx";

type OpenedMenuProps = ComponentProps<typeof MenuContent> & { trigger: ReactElement; isByKey: boolean };

/**
 * Defers an action of a menu item until the menu has closed and its button has the focus, so that a dialog that the
 * action opens returns the focus to the button.
 * @returns `afterwards`, which sets the action, and the handler for the menu's `onCloseAutoFocus`
 */
export function useAfterClose() {
  const next = useRef<(() => void) | null>(null);
  const afterwards = (begin: () => void) => {
    next.current = begin;
  };
  const onCloseAutoFocus = () => {
    // Radix moves the focus to the button after this handler.
    if (next.current) setTimeout(next.current);
    next.current = null;
  };
  return { afterwards, onCloseAutoFocus };
}

/** Menu of a {@link LazyMenu}, open on mount: its button was pressed before the menu was loaded. */
export function OpenedMenu({ trigger, isByKey, ...content }: OpenedMenuProps) {
  const leadsToFirst = useRef(isByKey);
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    if (!leadsToFirst.current || target !== currentTarget) return;
    leadsToFirst.current = false;
    currentTarget.querySelector<HTMLElement>("[role^=menuitem]:not([data-disabled])")?.focus();
  };
  return (
    <Menu defaultOpen modal={false}>
      <MenuTrigger asChild>{trigger}</MenuTrigger>
      <MenuContent onFocus={onFocus} {...content} />
    </Menu>
  );
}
