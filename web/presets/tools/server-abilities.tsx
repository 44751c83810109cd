import { ChevronRight } from "lucide-react";
import { useEffect, useEffectEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { type ToolServer, toolEffects } from "#contract/conversation/tools.ts";
import { cx } from "../../ui/components/cx.ts";

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

type FoldedAbilitiesProps = {
  server: Pick<ToolServer, "name" | "tools" | "leftOut">;
  /** Called once they are shown. */
  onShown?: () => void;
};

/** {@link ServerAbilities} below a button that unfolds them. */
export function FoldedAbilities({ server, onShown }: FoldedAbilitiesProps) {
  const { t } = useTranslation("toolServers");
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const show = useEffectEvent(() => onShown?.());
  useEffect(() => {
    if (isOpen) show();
  }, [isOpen]);
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={t("abilitiesOf", { name: server.name })}
        className="flex min-h-7 items-center gap-1 rounded-small text-muted text-xs hover:text-ink pointer-coarse:min-h-11"
        onClick={() => setOpen(!isOpen)}
      >
        {t("abilities")}
        <ChevronRight
          aria-hidden="true"
          className={cx("size-3.5 transition-transform", isOpen ? "rotate-90" : "rtl:-scale-x-100")}
        />
      </button>
      {isOpen && (
        <div id={id} className="pb-1">
          <ServerAbilities tools={server.tools} leftOut={server.leftOut} />
        </div>
      )}
    </div>
  );
}
