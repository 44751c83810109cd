import { ArrowLeft, type LucideIcon } from "lucide-react";
import { useLocation } from "react-router";
import { Initials } from "../accounts/initials.tsx";
import { personName } from "../accounts/person-name.ts";
import { useSession } from "../accounts/session/session.ts";
import { pathBackToChats } from "../accounts/sign-in/path-after-sign-in.ts";
import { cx } from "../ui/components/cx.ts";
import { Link } from "../ui/components/link.tsx";

const line =
  "flex min-h-9 items-center gap-2.5 rounded-control px-2.5 text-sm transition-colors hover:bg-hover " +
  "pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0";

export type SideLink = { to: string; Icon: LucideIcon; name: string; isCurrent: boolean };

type SideNavProps = {
  label: string;
  /** Text of the link back to the chats. */
  back: string;
  links: readonly SideLink[];
};

/** Navigation of a group of pages, at the side, on a phone on top, with a link back to the chats. */
export function SideNav({ label, back, links }: SideNavProps) {
  const { state }: { state: unknown } = useLocation();
  return (
    <nav
      aria-label={label}
      className={cx(
        "flex flex-col border-hairline border-b bg-sunken px-3 pt-[max(0.75rem,env(safe-area-inset-top))] pb-2",
        "md:sticky md:top-0 md:h-dvh md:w-64 md:shrink-0 md:border-e md:border-b-0 md:pb-3",
      )}
    >
      <Link
        to={pathBackToChats(state)}
        className={cx(line, "self-start pe-3.5 text-muted hover:text-ink md:self-stretch")}
      >
        <ArrowLeft aria-hidden="true" className="rtl:-scale-x-100" />
        {back}
      </Link>
      <p className="mt-5 hidden px-2.5 pb-1.5 font-medium text-muted text-xs md:block">{label}</p>
      <ul className="-mx-3 mt-1 flex gap-1 overflow-x-auto ps-3 pe-8 py-0.5 [mask-image:linear-gradient(to_right,transparent,black_1rem,black_calc(100%-2rem),transparent)] [scrollbar-width:none] rtl:[mask-image:linear-gradient(to_left,transparent,black_1rem,black_calc(100%-2rem),transparent)] md:m-0 md:flex-col md:gap-px md:overflow-visible md:p-0 md:[mask-image:none] md:rtl:[mask-image:none]">
        {links.map(({ to, Icon, name, isCurrent }) => (
          <li key={to} className="shrink-0 md:min-w-0">
            <Link
              ref={isCurrent ? showInRow : undefined}
              to={to}
              state={state}
              aria-current={isCurrent ? "page" : undefined}
              className={cx(line, isCurrent ? "bg-pressed font-medium" : "text-muted hover:text-ink")}
            >
              <Icon aria-hidden="true" className="max-sm:hidden" />
              {name}
            </Link>
          </li>
        ))}
      </ul>
      <Person />
    </nav>
  );
}

/** Scrolls the link into view: on a phone the row of pages may be wider than the screen. */
function showInRow(link: HTMLAnchorElement | null): void {
  link?.scrollIntoView({ block: "nearest", inline: "center" });
}

/** The signed-in person, as the owner of the pages. */
function Person() {
  const { user } = useSession();
  if (!user) return null;
  return (
    <div className="mt-auto hidden min-w-0 items-center gap-2.5 px-2.5 pt-3 md:flex">
      <Initials user={user} />
      <div className="min-w-0 text-sm">
        <p className="truncate font-medium">{personName(user)}</p>
        <p className="truncate text-muted text-xs">{user.username}</p>
      </div>
    </div>
  );
}
