import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { OfferedProvider } from "#contract/accounts/identity-providers.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import type {
  ConnectedIdentity,
  ConnectIdentity,
  DirectoryCredentials,
  SsoAnswer,
} from "#contract/accounts/single-sign-on.ts";
import { useAuthConfig } from "../../accounts/auth-config.ts";
import { pendingConnection } from "../../accounts/sso/pending-connection.ts";
import { beginSso } from "../../accounts/sso/sso-attempt.ts";
import { api } from "../../api/client.ts";
import { useAction } from "../../forms/use-action.ts";
import { withProof } from "../../proof/proof.ts";
import type { QueryResult } from "../../queries/use-query.ts";
import { useStore } from "../../store/use-store.ts";

type IdentityChanges = {
  /** Takes the focus when a focused control is removed. */
  heading: RefObject<HTMLElement | null>;
  onChanged: () => void;
};

/** State of the section. A connection leaves the page; its answer comes back by {@link pendingConnection}. */
export function useIdentities(
  { value: identities, change, reload }: QueryResult<ConnectedIdentity[]>,
  { heading, onChanged }: IdentityChanges,
) {
  const { t } = useTranslation("secondFactor");
  const { identityProviders = [] } = useAuthConfig();
  const { run, busy, failure } = useAction<string>();
  const [removed, setRemoved] = useState<ConnectedIdentity | null>(null);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  /** The directory whose name and password the person enters. */
  const [entered, setEntered] = useState<OfferedProvider | null>(null);
  const answer = useStore(pendingConnection);

  const finish = (text: string) => {
    setConfirmation(text);
    heading.current?.focus({ preventScroll: true });
    onChanged();
  };
  const send = async (provider: string, body: ConnectIdentity) => {
    await withProof(() => api.post(accountPaths.identities, body, null));
    const name = identityProviders.find(({ slug }) => slug === provider)?.name ?? provider;
    finish(t("identities.connectedDone", { name }));
    void reload();
  };
  const connect = (offered: OfferedProvider) => {
    const { slug: provider, kind } = offered;
    setConfirmation(null);
    if (kind === "ldap") return setEntered(offered);
    void run(provider, async () => {
      if (kind === "header") return send(provider, { header: true });
      return withProof(() => beginSso({ provider, purpose: "connect", from: "/settings/security" }));
    });
  };
  /** @throws ApiError */
  const connectDirectory = async (directory: DirectoryCredentials) => {
    await send(directory.provider, { directory });
    setEntered(null);
  };
  const complete = useEffectEvent((sso: SsoAnswer) => {
    pendingConnection.set(null);
    void run(sso.provider, () => send(sso.provider, { sso }));
  });
  useEffect(() => {
    if (answer) complete(answer);
  }, [answer]);
  const disconnect = ({ id, provider: name }: ConnectedIdentity) =>
    run(id, async () => {
      setConfirmation(null);
      await withProof(() => api.delete(accountPaths.identity(id)));
      if (identities) change(identities.filter((one) => one.id !== id));
      finish(t("identities.disconnectedDone", { name }));
    });
  return {
    connect,
    connectDirectory,
    entered,
    setEntered,
    disconnect,
    removed,
    setRemoved,
    busy,
    failure,
    confirmation,
  };
}
