import { useTranslation } from "react-i18next";
import type { ModelGroup } from "#contract/models/models.ts";
import { modelsQuery } from "../../queries/models-query.ts";
import { useQuery } from "../../queries/use-query.ts";

/** Names the connections that receive the person's address or name with each question; nothing without one. */
export function ReceiversNote() {
  const { t } = useTranslation("settings");
  const { value: groups } = useQuery(modelsQuery);
  const receivers = (groups ?? []).filter(({ receives }) => receives !== undefined);
  if (receivers.length === 0) return null;
  return (
    <div className="flex flex-col gap-2 border-hairline border-t p-4 text-pretty text-sm leading-text sm:px-5">
      {receivers.map((group) => (
        <p key={group.label}>{t(`profile.receives.${receivedBy(group)}`, { connection: group.label })}</p>
      ))}
    </div>
  );
}

/** What of the person a server receives. A newer server may name more. */
function receivedBy({ receives = [] }: ModelGroup): "email" | "name" | "both" {
  const hasEmail = receives.includes("email");
  if (hasEmail && receives.includes("name")) return "both";
  return hasEmail ? "email" : "name";
}
