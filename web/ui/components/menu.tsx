import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx.ts";
import { useLandmark } from "./landmark.tsx";

export const Menu = DropdownMenu.Root;
/** Use with `asChild` and one element, such as a Button. */
export const MenuTrigger = DropdownMenu.Trigger;
export const MenuGroup = DropdownMenu.Group;
export const MenuRadioGroup = DropdownMenu.RadioGroup;

const menuContentClass =
  "z-40 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 max-w-menu animate-appear overflow-y-auto " +
  "rounded-surface border border-hairline bg-raised p-1.5 shadow-float";

const menuItemClass =
  "flex min-h-9 select-none items-center gap-2 rounded-control px-2.5 py-1.5 text-sm outline-none " +
  "data-[highlighted]:bg-hover data-[disabled]:text-muted data-[disabled]:opacity-60 pointer-coarse:min-h-11";

/** Menu surface, rendered through a portal into the surrounding landmark. */
export function MenuContent({ className, ...rest }: ComponentProps<typeof DropdownMenu.Content>) {
  return (
    <DropdownMenu.Portal container={useLandmark()}>
      <DropdownMenu.Content sideOffset={6} collisionPadding={8} className={cx(menuContentClass, className)} {...rest} />
    </DropdownMenu.Portal>
  );
}

type MenuItemProps = ComponentProps<typeof DropdownMenu.Item> & { icon?: ReactNode; danger?: boolean };

export function MenuItem({ icon, danger = false, className, children, ...rest }: MenuItemProps) {
  return (
    <DropdownMenu.Item className={cx(menuItemClass, danger && "text-danger", "[&_svg]:size-4", className)} {...rest}>
      {icon}
      {children}
    </DropdownMenu.Item>
  );
}

export function MenuRadioItem({ className, children, ...rest }: ComponentProps<typeof DropdownMenu.RadioItem>) {
  return (
    <DropdownMenu.RadioItem className={cx(menuItemClass, "pe-9", "relative", className)} {...rest}>
      {children}
      <DropdownMenu.ItemIndicator className="absolute end-2.5">
        <Check aria-hidden="true" className="size-4 text-accent" />
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.RadioItem>
  );
}

export function MenuLabel({ className, ...rest }: ComponentProps<typeof DropdownMenu.Label>) {
  return <DropdownMenu.Label className={cx("px-2.5 pt-2 pb-1 font-medium text-muted text-xs", className)} {...rest} />;
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="-mx-1.5 my-1.5 h-px bg-hairline" />;
}
