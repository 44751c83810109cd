/** Lazy module with the ways to get an export from each service. */

import { useTranslation } from "react-i18next";
import { importServiceNames } from "#contract/transfer/transfer.ts";
import moving from "../../../locales/en/moving.json";
import { registerTexts } from "../../../locales/i18n.ts";

registerTexts("moving", moving);

const services = [
  "chatgpt",
  "claude",
  "open-webui",
  "librechat",
] as const satisfies (keyof typeof importServiceNames)[];

export default function Ways() {
  const { t } = useTranslation("moving");
  return (
    <div className="mt-3 pb-1 text-sm leading-text">
      <dl className="flex flex-col gap-3">
        {services.map((service) => (
          <div key={service}>
            <dt className="font-medium">{importServiceNames[service]}</dt>
            <dd className="text-pretty text-muted">{t(`ways.${service}`)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-pretty text-muted">{t("asItIs")}</p>
    </div>
  );
}
