import { useTranslation } from "react-i18next";
import { type ToolServer, toolEffects } from "#contract/conversation/tools.ts";

/** What a server can do: its tools, by what they may do, in words. */
export function ServerAbilities({ tools, leftOut }: Pick<ToolServer, "tools" | "leftOut">) {
  const { t, i18n } = useTranslation("toolServers");
  const names = new Intl.ListFormat(i18n.language, { type: "unit" });
  return (
    <div className="grid gap-2 text-sm leading-text">
      <dl className="grid gap-2 empty:hidden">
        {toolEffects.map((effect) => {
          const named = tools
            .filter((tool) => tool.effect === effect)
            .map(({ name, title = "" }) => title.trim() || name);
          if (named.length === 0) return null;
          return (
            <div key={effect}>
              <dt className="font-medium">{t(`effects.${effect}`)}</dt>
              <dd className="text-muted [overflow-wrap:anywhere]">
                <bdi>{names.format(named)}</bdi>
              </dd>
            </div>
          );
        })}
      </dl>
      {leftOut > 0 && (
        <p className="text-warning">{t("leftOut", { number: new Intl.NumberFormat(i18n.language).format(leftOut) })}</p>
      )}
    </div>
  );
}
