import { type ComponentProps, type FocusEvent, type ReactElement, useRef } from "react";
import { Menu, MenuContent, MenuTrigger } from "../components/menu.tsx";

type OpenedMenuProps = ComponentProps<typeof MenuContent> & { trigger: ReactElement; isByKey: boolean };

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
