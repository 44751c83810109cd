import { useTranslation } from "react-i18next";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { useAuthConfig } from "../auth-config.ts";
import type { SsoSignInProps } from "./sso-sign-in.tsx";

const ssoSignInModule = lazyModule(async () => (await import("./sso-sign-in.tsx")).default);

type SsoWaysProps = Omit<SsoSignInProps, "providers" | "isOnly"> & {
  /** Whether the "or" divider is already shown above. */
  isContinued?: boolean;
};

/** Buttons of the identity providers, which are loaded if there are some; until then their height is reserved. */
export function SsoWays({ isContinued = false, ...props }: SsoWaysProps) {
  const { t } = useTranslation("accounts");
  const { identityProviders = [], isSsoOnly = false } = useAuthConfig();
  const SsoSignIn = useLazyModule(ssoSignInModule, identityProviders.length > 0, isSsoOnly ? () => {} : undefined);
  if (identityProviders.length === 0) return null;
  return (
    <>
      {!isContinued && !isSsoOnly && (
        <div className="mt-8 mb-6 flex items-center gap-4 text-muted text-sm">
          <span className="h-px flex-1 bg-hairline" />
          {t("or")}
          <span className="h-px flex-1 bg-hairline" />
        </div>
      )}
      <div className={isContinued ? "mt-3 flex flex-col gap-3" : "flex flex-col gap-3"}>
        {SsoSignIn ? (
          <SsoSignIn {...props} providers={identityProviders} isOnly={isSsoOnly} />
        ) : (
          identityProviders.map(({ slug }) => <div key={slug} className="min-h-11" />)
        )}
      </div>
    </>
  );
}
