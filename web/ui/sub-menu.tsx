import { ChevronRight } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { menuContentClass, menuItemClass } from "./menu.tsx";

type SubMenuProps = { label: string; icon?: ReactNode; container?: HTMLElement | null; children: ReactNode };

/** A menu that opens beside an item of another one. `container`: as of the menu around it. */
export function SubMenu({ label, icon, container = null, children }: SubMenuProps) {
  return (
    <DropdownMenu.Sub>
      <DropdownMenu.SubTrigger className={cx(menuItemClass, "data-[state=open]:bg-hover [&_svg]:size-4")}>
        {icon}
        <span className="flex-1">{label}</span>
        <ChevronRight aria-hidden="true" className="-me-1 text-muted rtl:-scale-x-100" />
      </DropdownMenu.SubTrigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.SubContent sideOffset={4} alignOffset={-6} collisionPadding={8} className={menuContentClass}>
          {children}
        </DropdownMenu.SubContent>
      </DropdownMenu.Portal>
    </DropdownMenu.Sub>
  );
}
