import { useTranslation } from "react-i18next";
import type { User } from "#contract/accounts/accounts.ts";
import { useSession } from "./session/session.ts";

/** Returns the signed-in user if it is another account than that of `username`; else null. */
export function useOtherUser(username: string): User | null {
  const { isSignedIn, user } = useSession();
  return isSignedIn && user?.username !== username ? user : null;
}

/** Names the account of a mailed link, and above it the signed-in account if that is another one. */
export function AccountNames({ username }: { username: string }) {
  const { t } = useTranslation("accounts");
  const other = useOtherUser(username);
  return (
    <dl className="mb-6 divide-y divide-hairline rounded-surface border border-hairline bg-raised text-sm">
      {other && <Line label={t("link.signedInHere")} name={other.username} />}
      <Line label={t(other ? "link.linkedAccount" : "link.account")} name={username} />
    </dl>
  );
}

function Line({ label, name }: { label: string; name: string }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 px-4 py-3">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 break-words font-medium">
        <bdi>{name}</bdi>
      </dd>
    </div>
  );
}
