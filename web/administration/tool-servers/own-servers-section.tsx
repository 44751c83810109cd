import { Lock } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { InstallationSettingsAnswer } from "#contract/administration/installation.ts";
import type { AdministeredMcpServers } from "#contract/administration/mcp-servers.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { useAction } from "../../forms/use-action.ts";
import { Row, Section } from "../../page/section.tsx";
import { withProof } from "../../proof/proof.ts";
import { useResource } from "../../queries/use-resource.ts";
import { SwitchRow } from "../../settings/appearance/switch-row.tsx";
import { installationApi } from "../installation/installation-api.ts";
import { useHasRole } from "../use-has-role.ts";

type OwnServersSectionProps = { hosts: AdministeredMcpServers["ownHosts"] };

/** Whether people may have servers of their own, and where those are. */
export function OwnServersSection({ hosts }: OwnServersSectionProps) {
  const { t } = useTranslation("mcpServers");
  const { value: settings, change } = useResource(installationApi.readSettings);
  const isOwner = useHasRole("owner");
  if (settings === null) return null;
  const { value, source } = settings.ownToolServers;
  const isOn = value === "on";
  const canChange = isOwner && source !== "environment";
  if (!canChange && !isOn && hosts.length === 0 && source !== "environment") return null;
  return (
    <Section title={t("own.title")}>
      <div className="divide-y divide-hairline">
        {canChange ? <OwnServersSwitch isOn={isOn} onChanged={change} /> : <StatedRow isOn={isOn} source={source} />}
        {hosts.length > 0 && <Hosts hosts={hosts} />}
      </div>
    </Section>
  );
}

type SwitchProps = { isOn: boolean; onChanged: (settings: InstallationSettingsAnswer) => void };

function OwnServersSwitch({ isOn, onChanged }: SwitchProps) {
  const { t } = useTranslation("mcpServers");
  const { run, busy, failure } = useAction<"switch">();
  const [status, setStatus] = useState("");
  const change = (next: boolean) =>
    void run("switch", async () => {
      onChanged(await withProof(() => installationApi.changeSettings({ ownToolServers: next ? "on" : "off" })));
      setStatus(t(next ? "own.on" : "own.off"));
    });
  return (
    <div>
      <SwitchRow
        title={t("own.switch")}
        text={t("own.text")}
        status={status}
        isOn={busy === null ? isOn : !isOn}
        onChange={change}
      />
      {failure !== null && (
        <div className="px-4 pb-4 sm:px-5">
          <FailureBanner failure={failure} />
        </div>
      )}
    </div>
  );
}

/** The setting, where it cannot be changed. */
function StatedRow({ isOn, source }: { isOn: boolean; source: string }) {
  const { t } = useTranslation("mcpServers");
  if (source !== "environment") return <Row title={t("own.on")} text={t("own.text")} />;
  return (
    <Row
      title={
        <span className="flex items-start gap-1.5">
          <Lock aria-hidden="true" className="mt-1 size-3.5 shrink-0" />
          {t(isOn ? "own.fixedOn" : "own.fixedOff")}
        </span>
      }
      text={isOn ? t("own.text") : undefined}
    />
  );
}

function Hosts({ hosts }: OwnServersSectionProps) {
  const { t } = useTranslation("mcpServers");
  return (
    <div className="px-4 py-4 text-sm sm:px-5">
      <h3 className="font-medium">{t("own.hosts")}</h3>
      <ul aria-label={t("own.hosts")} className="mt-2 flex flex-col gap-1.5">
        {hosts.map(({ host, people, calls }) => (
          <li key={host} className="flex flex-wrap justify-between gap-x-4">
            <bdi dir="ltr" className="[overflow-wrap:anywhere]">
              {host}
            </bdi>
            <span className="text-muted">
              {t("own.host", { people: t("own.people", { count: people }), calls: t("calls", { count: calls }) })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
