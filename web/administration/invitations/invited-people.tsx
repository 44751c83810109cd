import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { INVITATION_USERS_MAX, type Invitation } from "#contract/administration/invitations.ts";
import { exactTime } from "../../locales/times.ts";
import { cx } from "../../ui/components/cx.ts";
import { tooltip } from "../../ui/tooltips/tooltip.ts";

/** People listed without a button. */
const SHOWN_AT_ONCE = 3;

/** The accounts that registered with an invitation; folded if there are many. `uses` counts deleted accounts, too. */
export function InvitedPeople({ users, uses }: Pick<Invitation, "users" | "uses">) {
  const { t } = useTranslation("invitations");
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const isFolded = users.length > SHOWN_AT_ONCE;
  const unlisted = uses - users.length;
  const isCut = users.length >= INVITATION_USERS_MAX && unlisted > 0;
  return (
    <>
      {isFolded && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="-ms-1 mt-1 inline-flex min-h-8 items-center gap-1 rounded-control px-1 text-ink hover:bg-hover pointer-coarse:min-h-11"
        >
          {t("users", { count: uses })}
          <ChevronRight
            aria-hidden="true"
            className={cx("size-4 shrink-0 transition-transform", isOpen ? "rotate-90" : "rtl:-scale-x-100")}
          />
        </button>
      )}
      <div id={id} hidden={isFolded && !isOpen} className="mt-1">
        <ul aria-label={t("usersList")}>
          {users.map((user) => (
            <PersonLine key={user.id} user={user} />
          ))}
        </ul>
        {unlisted > 0 && <p>{isCut ? t("usersCut") : t("usersDeleted", { count: unlisted })}</p>}
      </div>
    </>
  );
}

function PersonLine({ user: { username, at, isVerified } }: { user: Invitation["users"][number] }) {
  const { t, i18n } = useTranslation("invitations");
  return (
    <li className="break-words">
      <bdi className="text-ink" {...tooltip(exactTime(at, i18n.language))}>
        {username}
      </bdi>
      {!isVerified && ` · ${t("unverified")}`}
    </li>
  );
}
