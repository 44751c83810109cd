import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import type { Connection } from "#contract/administration/connections.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { useResource } from "../../queries/use-resource.ts";
import { Link } from "../../ui/components/link.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { administrationApi } from "../administration-api.ts";
import { AddConnection } from "../connections/add-connection.tsx";
import { ConnectionResult } from "../connections/connection-result.tsx";
import { ProviderLines } from "../overview/provider-lines.tsx";

type ProviderStepProps = {
  /** Whether a provider is configured. */
  isDone: boolean;
  onConnected: () => void;
};

/** Connects the first model in place. Afterwards: the configured providers, each with a test. */
export function ProviderStep({ isDone, onConnected }: ProviderStepProps) {
  const { t } = useTranslation("installation");
  const [connected, setConnected] = useState<Connection | null>(null);
  const keep = (connection: Connection) => {
    setConnected(connection);
    onConnected();
  };
  if (connected !== null) return <ConnectionResult connection={connected} onDone={() => setConnected(null)} />;
  if (isDone) return <ConfiguredProviders />;
  return (
    <>
      <p className="text-pretty break-words px-4 pt-2 text-muted text-sm leading-text sm:px-5">
        {t("setup.providerText")}
      </p>
      <AddConnection onConnected={keep} />
    </>
  );
}

function ConfiguredProviders() {
  const { t } = useTranslation("installation");
  const { state }: { state: unknown } = useLocation();
  const { value: overview, error, reload } = useResource(administrationApi.readOverview);
  if (error !== null) {
    return (
      <div className="p-4 sm:p-5">
        <LoadFailure error={error} onRetry={() => void reload()} />
      </div>
    );
  }
  if (overview === null) return <LinesLoading lines={1} />;
  return (
    <>
      <ProviderLines providers={overview.answeringProcess.providers} onTested={() => void reload()} />
      <p className="px-4 pb-4 text-sm sm:px-5">
        <Link to="/administration/connections" state={state} className={textLink}>
          {t("setup.providerOpen")}
        </Link>
      </p>
    </>
  );
}
