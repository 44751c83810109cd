import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { useResource } from "../../queries/use-resource.ts";
import { administrationApi } from "../administration-api.ts";
import { ProviderLines } from "../overview/provider-lines.tsx";

/** The configured providers, each with a test of its key. */
export function ProviderStep() {
  const { value: overview, error, reload } = useResource(administrationApi.readOverview);
  if (error !== null) {
    return (
      <div className="p-4 sm:p-5">
        <LoadFailure error={error} onRetry={() => void reload()} />
      </div>
    );
  }
  if (overview === null) return <LinesLoading lines={1} />;
  return <ProviderLines providers={overview.answeringProcess.providers} onTested={() => void reload()} />;
}
