import { useTranslation } from "react-i18next";
import type { ToolPart } from "#contract/conversation/known-parts.ts";
import { toolEffects } from "#contract/conversation/tools.ts";

/** The host of a server, or that it is a program. */
export function HostOfServer({ host }: { host: string }) {
  const { t } = useTranslation("parts");
  return <bdi>{host === "" ? t("tools.program") : host}</bdi>;
}

/** The server that a call goes to, by its name and its host; nothing for a tool of Parley. */
export function ServerOfCall({ from }: Pick<ToolPart, "from">) {
  if (!from) return null;
  return (
    <span className="[overflow-wrap:anywhere]">
      <bdi>{from.name}</bdi>
      {" · "}
      <HostOfServer host={from.host} />
    </span>
  );
}

/** What a call may do, as its server states it, and where it is sent; nothing for a tool of Parley. */
export function EffectOfCall({ from, effect }: Pick<ToolPart, "from" | "effect">) {
  const { t } = useTranslation("parts");
  if (!from) return null;
  // A value of a later version is treated as the worst.
  const known = toolEffects.find((each) => each === effect) ?? "change";
  return (
    <>
      <div className="text-muted [overflow-wrap:anywhere]">
        <HostOfServer host={from.host} />
      </div>
      <div>{t(`tools.effects.${known}`, { server: from.name })}</div>
    </>
  );
}
