import { useTranslation } from "react-i18next";
import type { Connection } from "#contract/administration/connections.ts";
import type { ProviderCheck } from "#contract/administration/provider-check.ts";
import { Badge } from "../../page/badge.tsx";
import { TimeAgo } from "../../page/time-ago.tsx";
import { ProviderRefusalText } from "../overview/provider-check.tsx";
import { connectionStateOf, hasModels, hostOf, providerIdOf } from "./connection-words.ts";

/** `test`: result of a test, which is newer than the last request of the list; null if there is none. */
type StateProps = { connection: Connection; test: ProviderCheck | null };

const tones = {
  there: "accent",
  disabled: "plain",
  unreachable: "danger",
  key: "danger",
  failed: "danger",
  unreadable: "danger",
} as const;

/** State of a connection in one word. */
export function ConnectionBadge({ connection, test }: StateProps) {
  const { t } = useTranslation("connections");
  const state = connectionStateOf(connection, test);
  if (state === null) return null;
  return <Badge tone={tones[state]}>{t(`state.${state}`)}</Badge>;
}

/** The models of a connection in numbers, and why its list could not be read, unless a test says the newer. */
export function ListState({ connection, test }: StateProps) {
  const { t } = useTranslation("connections");
  const { list, isEnabled, isUnreadable, baseUrl } = connection;
  if (isUnreadable) return <p className="text-danger">{t("list.unreadable")}</p>;
  if (!hasModels(connection)) return <p>{t("list.catalogue")}</p>;
  if (!isEnabled) return <p>{t("list.disabled")}</p>;
  const { state, offered, all, at } = list;
  return (
    <>
      {state === "away" && test === null && (
        <div className="text-danger">
          <ProviderRefusalText refusal={list} host={hostOf(baseUrl)} name={providerIdOf(connection)} />
        </div>
      )}
      {state === "none" && <p>{t("list.none")}</p>}
      {state === "there" && all === 0 && <p>{t("list.empty")}</p>}
      {all > 0 && <p>{offered === all ? t("list.all", { count: all }) : t("list.some", { offered, count: all })}</p>}
      {at !== undefined && <TimeAgo at={at} sentence={(time) => t("list.at", { time })} />}
    </>
  );
}
