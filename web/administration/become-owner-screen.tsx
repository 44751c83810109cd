import { useState } from "react";
import { useTranslation } from "react-i18next";
import { userSchema } from "#contract/accounts/accounts.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { errorSentences } from "#contract/errors.ts";
import { AccountLayout } from "../accounts/account-layout.tsx";
import { PageHeading } from "../accounts/page-heading.tsx";
import { updateUser, useSession } from "../accounts/session/session.ts";
import { useLinkedKey } from "../accounts/use-linked-key.ts";
import { api } from "../api/client.ts";
import { FailureBanner } from "../forms/failure-banner.tsx";
import { useAction } from "../forms/use-action.ts";
import ownership from "../locales/en/ownership.json";
import settings from "../locales/en/settings.json";
import { registerTexts } from "../locales/i18n.ts";
import { withProof } from "../proof/proof.ts";
import { ProofDialog } from "../proof/proof-dialog.tsx";
import { AccountDetailsContext, readAccount } from "../queries/account-details.ts";
import { useResource } from "../queries/use-resource.ts";
import { Button } from "../ui/components/button.tsx";
import { Link } from "../ui/components/link.tsx";
import { textLink } from "../ui/components/text-link.ts";

registerTexts("errors", errorSentences);
registerTexts("ownership", ownership);
registerTexts("settings", settings);

/** Opened from the link of an offer, or that on the server's console: a click makes the signed-in account an owner. */
export default function BecomeOwnerScreen() {
  const { t } = useTranslation("ownership");
  const { user } = useSession();
  const key = useLinkedKey();
  const details = useResource(readAccount);
  const { run, busy, failure } = useAction<"become">();
  const [isDone, setDone] = useState(false);
  const become = () =>
    run("become", async () => {
      updateUser(await withProof(() => api.post(administrationPaths.ownership, { key }, userSchema)));
      setDone(true);
    });
  return (
    <AccountDetailsContext value={details}>
      <AccountLayout>
        {isDone ? (
          <>
            <PageHeading key="done" title={t("become.doneTitle")}>
              {t("become.doneText")}
            </PageHeading>
            <Link to="/administration/overview" className={textLink}>
              {t("become.open")}
            </Link>
          </>
        ) : (
          <>
            <PageHeading title={t("become.title")}>
              {key === null ? t("become.missing") : t("become.text", { username: user?.username ?? "" })}
            </PageHeading>
            <FailureBanner failure={failure} className="mb-4" />
            {key !== null && (
              <Button size="large" className="w-full" busy={busy !== null} onClick={() => void become()}>
                {t("become.become")}
              </Button>
            )}
          </>
        )}
      </AccountLayout>
      <ProofDialog section="become-owner" />
    </AccountDetailsContext>
  );
}
