import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { OwnershipOffer } from "#contract/accounts/ownership.ts";
import type { AdministeredAccount } from "#contract/administration/administration.ts";
import { personName } from "../../accounts/person-name.ts";
import { useSession } from "../../accounts/session/session.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatusLine } from "../../forms/form-status.tsx";
import { useAction } from "../../forms/use-action.ts";
import ownership from "../../locales/en/ownership.json";
import { registerTexts } from "../../locales/i18n.ts";
import { Section } from "../../page/section.tsx";
import { useMinute } from "../../page/time-ago.tsx";
import { withProof } from "../../proof/proof.ts";
import { Button } from "../../ui/components/button.tsx";
import { RadioChoices } from "../../ui/components/fields/radio-choices.tsx";
import { administrationApi } from "../administration-api.ts";
import { CreatedLink } from "../invitations/created-link.tsx";
import { timeUntil } from "../invitations/time-until.ts";

registerTexts("ownership", ownership);

type OwnershipSectionProps = {
  account: AdministeredAccount;
  /** Whether ownership is to be offered; without it only an open offer is shown. */
  isOffering: boolean;
  onChange: (account: AdministeredAccount) => void;
};

/** For owners: offers ownership to the account, or withdraws an open offer. Empty for an account that cannot accept. */
export function OwnershipSection({ account, isOffering, onChange }: OwnershipSectionProps) {
  const { t } = useTranslation("ownership");
  const { user } = useSession();
  const { run, busy, failure } = useAction<"offer" | "withdraw">();
  const [link, setLink] = useState<string | null>(null);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { ownershipOffer: offer, ...others } = account;
  const isShown = isOffering || offer !== undefined || confirmation !== null;
  if (user?.role !== "owner" || !isShown) return null;
  const make = (staysOwner: boolean) =>
    run("offer", async () => {
      setConfirmation(null);
      const created = await withProof(() => administrationApi.offerOwnership(account.id, { staysOwner }));
      setLink(created.link);
      onChange({ ...account, ownershipOffer: created.offer });
    });
  const withdraw = () =>
    run("withdraw", async () => {
      await withProof(() => administrationApi.withdrawOwnership(account.id));
      setLink(null);
      onChange(others);
      setConfirmation(t("withdrawn"));
      // The focused button is removed.
      heading.current?.focus();
    });
  return (
    <>
      <Section title={t("title")} text={t("text", { name: personName(account) })} headingRef={heading}>
        <div className="flex flex-col gap-4 p-4 sm:p-5">
          <FailureBanner failure={failure} />
          {offer && <OpenOffer offer={offer} isBusy={busy !== null} onWithdraw={() => void withdraw()} />}
          {!offer && isOffering && (
            <OfferForm isBusy={busy !== null} onOfferOwnership={(staysOwner) => void make(staysOwner)} />
          )}
        </div>
        <FormStatusLine text={confirmation} />
      </Section>
      {link !== null && (
        <CreatedLink
          link={link}
          title={t("readyTitle")}
          label={t("link")}
          text={t("readyText", { address: account.email })}
          onClose={() => {
            setLink(null);
            heading.current?.focus();
          }}
        />
      )}
    </>
  );
}

function OfferForm({ isBusy, onOfferOwnership }: { isBusy: boolean; onOfferOwnership: (staysOwner: boolean) => void }) {
  const { t } = useTranslation("ownership");
  const [staysOwner, setStaysOwner] = useState(true);
  const choices = [
    { value: true, title: t("share"), text: t("shareText") },
    { value: false, title: t("handOver"), text: t("handOverText") },
  ];
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) onOfferOwnership(staysOwner);
      }}
    >
      <RadioChoices label={t("choice")} choices={choices} value={staysOwner} onChange={setStaysOwner} />
      <Button type="submit" variant="secondary" className="self-end" busy={isBusy} aria-disabled={isBusy || undefined}>
        {t("offer")}
      </Button>
    </form>
  );
}

type OpenOfferProps = { offer: OwnershipOffer; isBusy: boolean; onWithdraw: () => void };

function OpenOffer({ offer: { staysOwner, offeredBy, expiresAt }, isBusy, onWithdraw }: OpenOfferProps) {
  const { t, i18n } = useTranslation("ownership");
  const now = useMinute();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0 flex-1 basis-56 text-sm leading-text">
        <p className="break-words">{t(staysOwner ? "openShares" : "openHandsOver", { owner: offeredBy.username })}</p>
        <p className="text-muted">{t("ends", { time: timeUntil(expiresAt, now, i18n.language) })}</p>
      </div>
      <Button variant="secondary" size="small" busy={isBusy} aria-disabled={isBusy || undefined} onClick={onWithdraw}>
        {t("withdraw")}
      </Button>
    </div>
  );
}
