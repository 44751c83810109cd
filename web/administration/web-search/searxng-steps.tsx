import { useTranslation } from "react-i18next";

/** Of the profile `search` in compose.yaml. */
const COMMAND = "docker compose --profile search up --detach";
const ADDRESS = "http://searxng:8080";
const SETTINGS = "search:\n  formats: [html, json]";

const code =
  "mt-1.5 block whitespace-pre-wrap rounded-control bg-sunken px-3 py-2 text-start font-mono text-ink text-xs [font-variant-ligatures:none] [overflow-wrap:anywhere]";

/** How to start SearXNG, in three steps. */
export function SearxngSteps() {
  const { t } = useTranslation("webSearch");
  return (
    <div className="text-muted text-sm leading-text">
      <h3 className="font-medium text-ink">{t("steps.title")}</h3>
      <ol className="mt-2 flex list-decimal flex-col gap-3 ps-5">
        <li>
          {t("steps.compose")}
          <code dir="ltr" className={code}>
            {COMMAND}
          </code>
        </li>
        <li>
          {t("steps.address")}
          <code dir="ltr" className={code}>
            {ADDRESS}
          </code>
        </li>
        <li>{t("steps.save")}</li>
      </ol>
      <p className="mt-3">{t("steps.own")}</p>
      <code dir="ltr" className={code}>
        {SETTINGS}
      </code>
    </div>
  );
}
