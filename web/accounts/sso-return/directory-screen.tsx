import { useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useLocation } from "react-router";
import * as z from "zod/mini";
import type { OfferedProvider } from "#contract/accounts/identity-providers.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { directorySignInSchema } from "#contract/accounts/single-sign-on.ts";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { Link } from "../../ui/components/link.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { AccountLayout } from "../account-layout.tsx";
import { loginErrorText } from "../error-texts.ts";
import { PageHeading } from "../page-heading.tsx";
import { PasswordField } from "../password-field.tsx";
import { forgetInvitation } from "../registration/use-invitation-key.ts";
import { ReservedFailureBanner } from "../reserved-failure-banner.tsx";
import { signIn, useSession } from "../session/session.ts";
import { pathAfterSignIn } from "../sign-in/path-after-sign-in.ts";
import { useFirstStep } from "../sign-in/use-first-step.ts";
import { useIdentitySignIn } from "../sso/use-identity-sign-in.ts";

const { username, password } = directorySignInSchema.shape;
const schema = z.object({ username, password });

/** History state of this screen: the key of an invitation, which admits a new account. */
const admissionSchema = z.object({ invitation: z.optional(z.string()) });

/** Sign-in with the name and password of a directory. */
export function DirectoryScreen({ directory: { name, slug } }: { directory: OfferedProvider }) {
  const { t } = useTranslation(["sso", "accounts"]);
  const { state }: { state: unknown } = useLocation();
  const { isSignedIn } = useSession();
  const titleId = useId();
  const { form, passwordRef } = useDirectoryForm(slug, state);
  const { formProps, fieldProps, failure, isSending, isHeld, spoken } = form;
  if (isSignedIn) return <Navigate to={pathAfterSignIn(state)} replace />;
  return (
    <AccountLayout>
      <PageHeading id={titleId} title={t("directoryTitle", { name })}>
        {t("directoryText")}
      </PageHeading>
      <form {...formProps} aria-labelledby={titleId} className="flex flex-col gap-2">
        <Field
          {...fieldProps("username")}
          label={t("accounts:login.username")}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
        <PasswordField
          ref={passwordRef}
          {...fieldProps("password")}
          label={t("accounts:login.password")}
          autoComplete="current-password"
        />
        <p aria-live="polite" className="sr-only">
          {spoken}
        </p>
        <Button
          type="submit"
          size="large"
          busy={isSending}
          aria-disabled={isSending || undefined}
          disabled={isHeld && !isSending}
          className="mt-1 w-full"
        >
          {t(isSending ? "accounts:login.submitting" : "accounts:login.submit")}
        </Button>
        <ReservedFailureBanner failure={failure} />
      </form>
      <p className="mt-8 text-sm">
        <Link to="/login" state={state} className={textLink}>
          {t("accounts:link.back")}
        </Link>
      </p>
    </AccountLayout>
  );
}

/** State of the form. `state`: history state with the page to open afterwards and the key of an invitation. */
function useDirectoryForm(provider: string, state: unknown) {
  const { t } = useTranslation("accounts");
  const send = useIdentitySignIn(useFirstStep());
  const passwordRef = useRef<HTMLInputElement>(null);
  const form = useCheckedForm({
    schema,
    labels: { username: t("fields.username"), password: t("fields.password") },
    textOf: loginErrorText,
    isFocused: true,
    send: async (typed) => {
      const admission = admissionSchema.safeParse(state).data;
      const answer = await send(accountPaths.ssoDirectory, { provider, ...typed, ...admission });
      if (answer === null) return null;
      if (admission?.invitation !== undefined) forgetInvitation();
      signIn(answer);
      return null;
    },
  });
  const { failure } = form;
  // The password is the field most likely to be corrected.
  useEffect(() => {
    if (!failure) return;
    passwordRef.current?.focus();
    passwordRef.current?.select();
  }, [failure]);
  return { form, passwordRef };
}
