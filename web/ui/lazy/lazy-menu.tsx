import { type ComponentProps, type ComponentType, cloneElement, type ReactElement, useState } from "react";
import { type LazyModule, useLazyModule } from "./lazy-module.ts";

/** `trigger`: the button. `isByKey`: a key pressed it, so the first item takes the focus. */
type OpenedMenuProps = { trigger: ReactElement; isByKey: boolean };

type LazyMenuProps<Own extends object> = {
  module: LazyModule<{ default: ComponentType<OpenedMenuProps & Own> }>;
  trigger: ReactElement<ComponentProps<"button">>;
  /** Props of the menu component. */
  menuProps: Own;
  /** Role of the popup; a menu by default. */
  popup?: "menu" | "dialog";
  /** Loads the menu without a press. The menu itself opens at later requests. */
  isRequested?: boolean;
};

/** Button of a lazily loaded menu. The first press loads the menu. */
export function LazyMenu<Own extends object>({
  module,
  trigger,
  menuProps,
  popup = "menu",
  isRequested = false,
}: LazyMenuProps<Own>) {
  const [asked, setAsked] = useState<"never" | "by pointer" | "by key">("never");
  if (isRequested && asked === "never") setAsked("by key");
  const menu = useLazyModule(module, asked !== "never", () => setAsked("never"));
  if (menu) return <menu.default {...menuProps} trigger={trigger} isByKey={asked === "by key"} />;
  return cloneElement(trigger, {
    "aria-haspopup": popup,
    "aria-expanded": false,
    // `detail` is the click count: 0 if a key triggered the click.
    onClick: (event) => setAsked(event.detail === 0 ? "by key" : "by pointer"),
    onKeyDown: (event) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      setAsked("by key");
    },
  });
}
