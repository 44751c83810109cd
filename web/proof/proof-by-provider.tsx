/** Lazy module of the proof, for accounts with an identity at a provider. */

import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import type { ConnectedIdentity } from "#contract/accounts/single-sign-on.ts";
import { ProviderButton } from "../accounts/sso/provider-button.tsx";
import { beginSso } from "../accounts/sso/sso-attempt.ts";
import { identitiesQuery } from "../queries/identities.ts";
import { useQuery } from "../queries/use-query.ts";
import { answerProof } from "./proof.ts";
import { ProofForm } from "./proof-form.tsx";

export type ProofByProviderProps = {
  /** Whether the account has no other way to prove. */
  isOnly: boolean;
  onStart: () => void;
  onFailure: (error: unknown) => void;
};

/** Buttons of the providers that can prove who uses the session. They lead away from the page, and back to it. */
export default function ProofByProvider({ isOnly, onStart, onFailure }: ProofByProviderProps) {
  const { t } = useTranslation("sso");
  const { pathname, search, hash } = useLocation();
  const { value: identities } = useQuery(identitiesQuery);
  if (identities === null) return null;
  const proving = identities.filter(({ kind }) => kind === "oidc" || kind === "ldap");
  const [directories, providers] = [proving.filter(isDirectory), proving.filter((one) => !isDirectory(one))];
  if (proving.length === 0) return isOnly && <p className="text-sm leading-text">{t("noProof")}</p>;
  return (
    <div className="flex flex-col gap-3">
      {directories.map(({ id, slug: provider = "", label: username, provider: name }) => (
        <ProofForm
          key={id}
          directory={{ provider, username }}
          label={t("directoryPassword", { name })}
          isFocused={isOnly}
          onProved={() => answerProof(true)}
        />
      ))}
      {providers.length > 0 && <p className="text-muted text-sm leading-text">{t("proofText")}</p>}
      {providers.map(({ id, slug = "", provider: name }) => (
        <ProviderButton
          key={id}
          name={name}
          busyText={t("leaving", { name })}
          onPress={async () => {
            onStart();
            await beginSso({ provider: slug, purpose: "prove", from: pathname + search + hash });
            return true;
          }}
          onFailure={onFailure}
        />
      ))}
    </div>
  );
}

const isDirectory = ({ kind }: ConnectedIdentity): boolean => kind === "ldap";
