import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { paths } from "#contract/paths.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { useWait } from "../../forms/use-wait.ts";
import { Button } from "../../ui/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { textLink } from "../../ui/text-link.ts";
import { AccountLayout } from "../account-layout.tsx";
import { PageHeading } from "../page-heading.tsx";
import { useSession } from "../session.ts";
import { SuccessMark } from "../success-mark.tsx";
import { type MailedLink, useMailedLink } from "./use-mailed-link.ts";

/** Opened from the mail to a new address: from now on the account has it. */
export function ConfirmEmailScreen() {
  return <LinkScreen name="confirmEmail" link={useMailedLink(paths.confirmEmail)} />;
}

/** Opened from the mail to the former address: the account has that one back, and whoever was signed in is out. */
export function UndoEmailScreen() {
  return <LinkScreen name="undoEmail" link={useMailedLink(paths.undoEmail)} />;
}

type Name = "confirmEmail" | "undoEmail";

function LinkScreen({ name, link }: { name: Name; link: MailedLink }) {
  const { t } = useTranslation("accounts");
  return (
    <AccountLayout>
      {link.state === "working" && (
        <>
          <PageHeading title={t(`${name}.title`)}>{t(`${name}.working`)}</PageHeading>
          <Spinner className="text-muted" />
        </>
      )}
      {link.state === "failed" && <Failed name={name} link={link} />}
      {/* Another heading than the one before: it takes the focus, and is read out. */}
      {link.state === "done" && <Done key="done" name={name} />}
      {link.state === "dead" && <Dead title={t("link.deadTitle")} text={t(`${name}.deadText`)} name={name} />}
      {link.state === "missing" && <Dead title={t("link.missingTitle")} text={t("link.missingText")} name={name} />}
    </AccountLayout>
  );
}

function Failed({ name, link }: { name: Name; link: MailedLink & { state: "failed" } }) {
  const { t } = useTranslation("accounts");
  const { leftMs } = useWait(link.error);
  return (
    <>
      <PageHeading title={t(`${name}.title`)} />
      <FailureBanner failure={link} className="mb-6" />
      <Button size="large" className="w-full" disabled={leftMs > 0} onClick={link.retry}>
        {t("link.retry")}
      </Button>
    </>
  );
}

function Done({ name }: { name: Name }) {
  const { t } = useTranslation("accounts");
  const navigate = useNavigate();
  const { isSignedIn } = useSession();
  const next =
    name === "undoEmail"
      ? { path: "/forgot-password", text: t("undoEmail.next") }
      : isSignedIn
        ? { path: "/chat", text: t("confirmEmail.nextChats") }
        : { path: "/login", text: t("confirmEmail.nextSignIn") };
  return (
    <>
      <SuccessMark />
      <PageHeading title={t(`${name}.doneTitle`)}>{t(`${name}.doneText`)}</PageHeading>
      <Button size="large" className="w-full" onClick={() => navigate(next.path)}>
        {next.text}
      </Button>
      {name === "confirmEmail" && (
        <p className="mt-8 text-pretty text-muted text-sm">{t("confirmEmail.doneElsewhere")}</p>
      )}
    </>
  );
}

/** Where nothing can be done on this page. */
function Dead({ name, title, text }: { name: Name; title: string; text: string }) {
  const { t } = useTranslation("accounts");
  const { isSignedIn } = useSession();
  // Whoever is not signed in signs in first, and then comes to the settings.
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
