import { ChevronsUpDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import { LazyMenu } from "../ui/lazy/lazy-menu.tsx";
import { lazyModule } from "../ui/lazy/lazy-module.ts";

const personMenuModule = lazyModule(() => import("./person-choices.tsx"), "behind-chat");

/** Button with the person's name that opens the menu of their settings. */
export function PersonMenu({ username }: { username: string | null }) {
  const { t } = useTranslation("chat");
  const name = username ?? t("sidebar.user");
  return (
    <LazyMenu
      module={personMenuModule}
      menuProps={{}}
      trigger={
        <button
          type="button"
          className="flex min-h-11 min-w-0 flex-1 items-center gap-2.5 rounded-control px-2 text-start transition-colors hover:bg-hover data-[state=open]:bg-hover"
        >
          <span
            aria-hidden="true"
            className="flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent text-xs"
          >
            {[...name].slice(0, 2).join("").toUpperCase()}
          </span>
          <span dir="auto" className="own-way min-w-0 flex-1 truncate font-medium text-sm">
            {name}
          </span>
          <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
        </button>
      }
    />
  );
}
