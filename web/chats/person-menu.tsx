import { ChevronsUpDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Initials } from "../accounts/initials.tsx";
import { useSession } from "../accounts/session/session.ts";
import { cx } from "../ui/components/cx.ts";
import { LazyMenu } from "../ui/lazy/lazy-menu.tsx";
import { lazyModule } from "../ui/lazy/lazy-module.ts";
import { tooltip } from "../ui/tooltips/tooltip.ts";

const personMenuModule = lazyModule(() => import("./person-choices.tsx"), "after-chat");

type PersonMenuProps = {
  username: string | null;
  /** Shows the initials only; the name is a tooltip. */
  isCompact?: boolean;
};

/** Button with the person's name that opens the menu of their settings. */
export function PersonMenu({ username, isCompact = false }: PersonMenuProps) {
  const { t } = useTranslation("chat");
  const { user } = useSession();
  const name = username ?? t("sidebar.user");
  return (
    <LazyMenu
      module={personMenuModule}
      menuProps={{}}
      trigger={
        <button
          type="button"
          {...tooltip(isCompact ? name : undefined, { isBeside: true })}
          className={cx(
            "flex min-h-11 items-center gap-2.5 rounded-control text-start transition-colors hover:bg-hover data-[state=open]:bg-hover",
            isCompact ? "px-1.5" : "min-w-0 flex-1 px-2",
          )}
        >
          <Initials user={user ?? { firstname: "", lastname: "", username: name }} />
          {isCompact ? (
            <span className="sr-only">{name}</span>
          ) : (
            <>
              <span dir="auto" className="own-way min-w-0 flex-1 truncate font-medium text-sm">
                {name}
              </span>
              <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
            </>
          )}
        </button>
      }
    />
  );
}
