import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { accountPaths } from "#contract/accounts/paths.ts";
import { api } from "../../api/client.ts";
import { useSending } from "../../forms/use-sending.ts";
import emailLinks from "../../locales/en/emailLinks.json";
import { registerTexts } from "../../locales/i18n.ts";
import { Button } from "../../ui/components/button.tsx";
import { Link } from "../../ui/components/link.tsx";
import { Spinner } from "../../ui/components/spinner.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { AccountLayout } from "../account-layout.tsx";
import { AccountNames, useOtherUser } from "../account-names.tsx";
import { linkErrorText } from "../error-texts.ts";
import { LinkFailure } from "../link-failure.tsx";
import { isDeadLink } from "../linked-account.ts";
import { PageHeading } from "../page-heading.tsx";
import { ReservedFailureBanner } from "../reserved-failure-banner.tsx";
import { recheckSession, useSession } from "../session/session.ts";
import { SuccessMark } from "../success-mark.tsx";
import { type LinkedAccount, useLinkedAccount } from "./use-linked-account.ts";

registerTexts("emailLinks", emailLinks);

/** Opened from the mail to a new address: a click changes the account to that address. */
export function ConfirmEmailScreen() {
  return <LinkScreen name="confirmEmail" link={useLinkedAccount("change-email")} />;
}

/** Opened from the mail to the former address: a click restores that address and ends all sessions of the account. */
export function UndoEmailScreen() {
  return <LinkScreen name="undoEmail" link={useLinkedAccount("undo-email")} />;
}

/** Opened after a sign-in without app and codes: a click lets the second factor end. */
export function LoseFactorScreen() {
  return <LinkScreen name="loseFactor" link={useLinkedAccount("lose-factor")} />;
}

/** Opened from the mail about the end of the second factor: a click stops it. */
export function KeepFactorScreen() {
  return <LinkScreen name="keepFactor" link={useLinkedAccount("keep-factor")} />;
}

const paths = {
  confirmEmail: accountPaths.confirmEmail,
  undoEmail: accountPaths.undoEmail,
  loseFactor: accountPaths.secondFactorLoss,
  keepFactor: accountPaths.secondFactorKeep,
};
type Name = keyof typeof paths;

function LinkScreen({ name, link }: { name: Name; link: LinkedAccount }) {
  const { t } = useTranslation(["accounts", "emailLinks"]);
  /** Used key; another link may be opened in the same tab. */
  const [used, setUsed] = useState<string | null>(null);
  const isDone = link.state === "known" && link.key === used;
  // Each state is a separate component, so that its heading takes the focus and is announced.
  return (
    <AccountLayout>
      {link.state === "looking" && (
        <>
          <PageHeading title={t(`emailLinks:${name}.title`)}>{t("link.looking")}</PageHeading>
          <Spinner className="text-muted" />
        </>
      )}
      {link.state === "failed" && <LinkFailure title={t(`emailLinks:${name}.title`)} link={link} />}
      {link.state === "known" && !isDone && <Question name={name} link={link} onDone={() => setUsed(link.key)} />}
      {isDone && <Done name={name} />}
      {link.state === "dead" && (
        <Dead title={t("link.deadTitle")} text={t(`emailLinks:${name}.deadText`)} name={name} />
      )}
      {link.state === "missing" && <Dead title={t("link.missingTitle")} text={t("link.missingText")} name={name} />}
    </AccountLayout>
  );
}

type QuestionProps = { name: Name; link: LinkedAccount & { state: "known" }; onDone: () => void };

function Question({ name, link, onDone }: QuestionProps) {
  const { t } = useTranslation(["accounts", "emailLinks"]);
  const { isSignedIn } = useSession();
  const hasOther = useOtherUser(link.username) !== null;
  const { send, isSending, isHeld, failure } = useSending(linkErrorText);

  const act = async () => {
    try {
      await api.post(paths[name], { key: link.key }, null);
    } catch (error) {
      if (!isDeadLink(error)) throw error;
      link.onDead();
      return;
    }
    await recheckSession();
    onDone();
  };

  return (
    <>
      <PageHeading title={t(`emailLinks:${name}.askTitle`)}>
        {t(`emailLinks:${name}.askText`)} {hasOther && t("link.otherUntouched")}
      </PageHeading>
      <AccountNames username={link.username} />
      <Button
        size="large"
        className="w-full"
        busy={isSending}
        aria-disabled={isHeld || undefined}
        onClick={() => !isHeld && void send(act)}
      >
        {t(isSending ? `emailLinks:${name}.submitting` : `emailLinks:${name}.submit`)}
      </Button>
      <ReservedFailureBanner failure={failure} />
      <p className="mt-8 text-sm">
        <Link to={isSignedIn ? "/chat" : "/login"} className={textLink}>
          {t(isSignedIn ? "link.toChats" : "link.toSignIn")}
        </Link>
      </p>
    </>
  );
}

function Done({ name }: { name: Name }) {
  const { t } = useTranslation(["accounts", "emailLinks"]);
  const navigate = useNavigate();
  const { isSignedIn } = useSession();
  const afterAddress = isSignedIn
    ? { path: "/chat", text: t("emailLinks:confirmEmail.nextChats") }
    : { path: "/login", text: t("emailLinks:confirmEmail.nextSignIn") };
  const next = {
    confirmEmail: afterAddress,
    undoEmail: { path: "/forgot-password", text: t("emailLinks:undoEmail.next") },
    loseFactor: { path: "/login", text: t("emailLinks:loseFactor.next") },
    keepFactor: { path: "/forgot-password", text: t("emailLinks:keepFactor.next") },
  }[name];
  return (
    <>
      <SuccessMark />
      <PageHeading title={t(`emailLinks:${name}.doneTitle`)}>{t(`emailLinks:${name}.doneText`)}</PageHeading>
      <Button size="large" className="w-full" onClick={() => navigate(next.path)}>
        {next.text}
      </Button>
      {name === "confirmEmail" && (
        <p className="mt-8 text-pretty text-muted text-sm">{t("emailLinks:confirmEmail.doneElsewhere")}</p>
      )}
    </>
  );
}

/** Shown for a missing or invalid key. */
function Dead({ name, title, text }: { name: Name; title: string; text: string }) {
  const { t } = useTranslation(["accounts", "emailLinks"]);
  const { isSignedIn } = useSession();
  // A visitor signs in first and is then redirected to the settings.
  const next =
    name === "confirmEmail"
      ? { path: "/settings/account", text: t("link.toSettings") }
      : isSignedIn
        ? { path: "/chat", text: t("link.toChats") }
        : { path: "/login", text: t("link.toSignIn") };
  return (
    <>
      <PageHeading title={title}>{text}</PageHeading>
      <p className="text-sm">
        <Link to={next.path} className={textLink}>
          {next.text}
        </Link>
      </p>
    </>
  );
}
