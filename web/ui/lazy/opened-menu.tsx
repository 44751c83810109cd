import { type ComponentProps, type FocusEvent, type ReactElement, useRef, useState } from "react";
import { Menu, MenuContent, MenuTrigger } from "../components/menu.tsx";

type OpenedMenuProps = ComponentProps<typeof MenuContent> & { trigger: ReactElement; isByKey: boolean };

/** The menu of a {@link LazyMenu}, in the landmark of its button: open from the beginning, for it was asked for. */
export function OpenedMenu({ trigger, isByKey, ...content }: OpenedMenuProps) {
  const [landmark, setLandmark] = useState<HTMLElement | null>(null);
  const leadsToFirst = useRef(isByKey);
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    if (!leadsToFirst.current || target !== currentTarget) return;
    leadsToFirst.current = false;
    currentTarget.querySelector<HTMLElement>("[role^=menuitem]:not([data-disabled])")?.focus();
  };
  return (
    <Menu defaultOpen modal={false}>
      <span ref={(element) => setLandmark(element?.closest<HTMLElement>("nav, main") ?? null)} className="contents">
        <MenuTrigger asChild>{trigger}</MenuTrigger>
      </span>
      <MenuContent container={landmark} onFocus={onFocus} {...content} />
    </Menu>
  );
}
