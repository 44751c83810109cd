import { useTranslation } from "react-i18next";
import type { Connection } from "#contract/administration/connections.ts";
import { TimeAgo } from "../../page/time-ago.tsx";
import { Badge } from "../badge.tsx";
import { ProviderRefusalText } from "../overview/provider-check.tsx";
import { hostOf, providerIdOf } from "./connection-words.ts";

/** State of a connection in one word. */
export function ConnectionBadge({ connection: { isEnabled, isUnreadable, list } }: { connection: Connection }) {
  const { t } = useTranslation("connections");
  if (isUnreadable) return <Badge tone="danger">{t("state.unreadable")}</Badge>;
  if (!isEnabled) return <Badge>{t("state.disabled")}</Badge>;
  if (list.state === "away") return <Badge tone="danger">{t("state.away")}</Badge>;
  if (list.state === "there") return <Badge tone="accent">{t("state.there")}</Badge>;
  return null;
}

/** The models of a connection in numbers, and why its list could not be read. */
export function ListState({ connection }: { connection: Connection }) {
  const { t } = useTranslation("connections");
  const { list, isEnabled, isUnreadable, isFixed, slug, baseUrl } = connection;
  const hasOwnList = !isFixed || slug === "LOCAL";
  if (isUnreadable) return <p className="text-danger">{t("list.unreadable")}</p>;
  if (!hasOwnList) return <p>{t("list.catalogue")}</p>;
  if (!isEnabled) return <p>{t("list.disabled")}</p>;
  const { state, offered, all, at } = list;
  return (
    <>
      {state === "away" && (
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
