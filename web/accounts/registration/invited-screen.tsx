import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SignedIn } from "#contract/accounts/accounts.ts";
import type { ReceivedInvitation } from "#contract/administration/invitations.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import type { Failure } from "../../forms/use-sending.ts";
import { Button } from "../../ui/components/button.tsx";
import { Spinner } from "../../ui/components/spinner.tsx";
import { AccountLayout } from "../account-layout.tsx";
import { useAuthConfig } from "../auth-config.ts";
import { googleErrorText, loginErrorText } from "../error-texts.ts";
import { LinkFailure } from "../link-failure.tsx";
import { PageHeading } from "../page-heading.tsx";
import { signIn, signOut, useSession } from "../session/session.ts";
import { GoogleSignIn } from "../sign-in/google-sign-in.tsx";
import { useFirstStep } from "../sign-in/use-first-step.ts";
import { SsoWays } from "../sso/sso-ways.tsx";
import { HaveAccount } from "./have-account.tsx";
import { RegisterForm } from "./register-form.tsx";
import { useInvitation } from "./use-invitation.ts";
import { isDeadInvitation } from "./use-invitation-key.ts";

type InvitedScreenProps = {
  invitationKey: string;
  /** The invitation, if the server has already sent it. */
  received?: ReceivedInvitation | undefined;
  /** Address for the form, unless the invitation names one. */
  email: string;
  /** Receives the registered address. */
  onRegistered: (email: string) => void;
  /** Called when a person is signed in and does not need the invitation. */
  onSignedIn: () => void;
  /** Called to register without the invitation. */
  onForget: () => void;
};

/** Registration of a person who has opened an invitation, also while registration is closed. */
export function InvitedScreen({ received, onForget, ...props }: InvitedScreenProps) {
  const { t } = useTranslation("accounts");
  const { invitationKey, onSignedIn } = props;
  const { link, onDead } = useInvitation(invitationKey, received);
  const { isSignedIn } = useSession();

  if (link.state === "dead") return <Dead onSignedIn={onSignedIn} onForget={onForget} />;
  if (link.state === "known") {
    if (isSignedIn) return <AlreadySignedIn invitation={link.invitation} onStay={onSignedIn} />;
    return <Invited {...props} onDead={onDead} invitation={link.invitation} />;
  }
  return (
    <AccountLayout isTall>
      {link.state === "failed" ? (
        <LinkFailure title={t("register.title")} link={link} />
      ) : (
        <>
          <PageHeading title={t("register.title")}>{t("link.looking")}</PageHeading>
          <Spinner className="text-muted" />
        </>
      )}
    </AccountLayout>
  );
}

/** Returns the sentence about the person who invites. */
function useInviterText({ inviter, productName }: ReceivedInvitation): string {
  const { t } = useTranslation("accounts");
  if (inviter === undefined) return t("invited.text", { product: productName });
  return t("invited.by", { inviter, product: productName });
}

type InvitedProps = Omit<InvitedScreenProps, "received" | "onForget"> & {
  invitation: ReceivedInvitation;
  onDead: () => void;
};

function Invited({ invitation, invitationKey, email, onRegistered, onSignedIn, onDead }: InvitedProps) {
  const { t } = useTranslation("accounts");
  const [failure, setFailure] = useState<Failure | null>(null);
  const inviterText = useInviterText(invitation);
  const { googleClientId, isSsoOnly = false } = useAuthConfig();
  const takeFirstStep = useFirstStep();
  const refuseWith = (textOf: (error: unknown) => string) => (error: unknown) => {
    if (isDeadInvitation(error)) onDead();
    else setFailure({ text: textOf(error), error });
  };
  const ways = {
    invitation: invitationKey,
    onAnswer: (answer: SignedIn) => {
      signIn(answer);
      onSignedIn();
    },
    onStart: () => setFailure(null),
  };
  return (
    <AccountLayout isTall>
      <PageHeading title={t("register.title")}>{inviterText}</PageHeading>
      {!isSsoOnly && (
        <RegisterForm
          email={invitation.address ?? email}
          invitation={{ key: invitationKey, isBound: invitation.address !== undefined, onDead }}
          onDone={onRegistered}
        />
      )}
      <GoogleSignIn {...ways} onFailure={refuseWith(googleErrorText)} />
      <SsoWays
        {...ways}
        from="/chat"
        takeFirstStep={takeFirstStep}
        isContinued={googleClientId !== undefined}
        onFailure={refuseWith(loginErrorText)}
      />
      <FailureBanner failure={failure} className="mt-6" />
      <HaveAccount />
    </AccountLayout>
  );
}

function AlreadySignedIn({ invitation, onStay }: { invitation: ReceivedInvitation; onStay: () => void }) {
  const { t } = useTranslation("accounts");
  const { user } = useSession();
  const inviterText = useInviterText(invitation);
  return (
    <AccountLayout>
      <PageHeading title={t("invited.signedInTitle")}>
        {inviterText} {user && t("link.stillSignedIn", { username: user.username })}
      </PageHeading>
      <div className="flex flex-col gap-3">
        <Button size="large" className="w-full" onClick={onStay}>
          {t("invited.open", { product: invitation.productName })}
        </Button>
        <Button variant="secondary" size="large" className="w-full" onClick={() => void signOut()}>
          {t("invited.switch")}
        </Button>
      </div>
    </AccountLayout>
  );
}

/** Shown for an invitation that is unknown, expired, used or revoked. */
function Dead({ onSignedIn, onForget }: Pick<InvitedScreenProps, "onSignedIn" | "onForget">) {
  const { t } = useTranslation("accounts");
  const { registrationOpen } = useAuthConfig();
  const { isSignedIn } = useSession();
  return (
    <AccountLayout>
      <PageHeading title={t("link.deadTitle")}>{t("invited.deadText")}</PageHeading>
      {isSignedIn && (
        <Button size="large" className="w-full" onClick={onSignedIn}>
          {t("link.toChats")}
        </Button>
      )}
      {!isSignedIn && registrationOpen && (
        <Button size="large" className="w-full" onClick={onForget}>
          {t("login.createAccount")}
        </Button>
      )}
      {!isSignedIn && <HaveAccount />}
    </AccountLayout>
  );
}
