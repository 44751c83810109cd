import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { neededSteps, SETUP_PATH, setupSchema } from "#contract/administration/setup.ts";
import { useAuthConfig } from "../accounts/auth-config.ts";
import { api } from "../api/client.ts";
import notice from "../locales/en/notice.json";
import { registerTexts } from "../locales/i18n.ts";
import { useQuery } from "../queries/use-query.ts";
import { CloseButton } from "../ui/components/close-button.tsx";
import { Link } from "../ui/components/link.tsx";
import { textLink } from "../ui/components/text-link.ts";
import { setupQuery } from "./setup-query.ts";

registerTexts("notice", notice);

/** Leads an owner to the first steps that are still to do, until they are done or the card is dismissed for good. */
export function SetupCard() {
  const { t } = useTranslation("notice");
  const { productName: product } = useAuthConfig();
  const { value: setup, change } = useQuery(setupQuery);
  const title = useId();
  const { pathname, search } = useLocation();
  if (setup === null || setup.dismissedAt !== undefined) return null;
  const { steps } = setup;
  if (Object.values(steps).every((state) => state !== "todo")) return null;
  const count = neededSteps.filter((step) => steps[step] === "todo").length;
  const dismiss = () => {
    change({ ...setup, dismissedAt: Date.now() });
    // After a failure the next visit shows the card again.
    api.patch(SETUP_PATH, { isDismissed: true }, setupSchema).then(change, () => undefined);
  };
  return (
    <section
      aria-labelledby={title}
      className="mx-4 flex max-w-[36rem] animate-appear gap-3 rounded-surface border border-accent/35 bg-accent-soft py-3 ps-4 pe-2 text-sm leading-text max-md:order-first max-md:mb-2 max-md:shrink-0 sm:mx-auto md:mt-4"
    >
      <div className="min-w-0 flex-1">
        <h2 id={title} className="font-semibold">
          {t("owner", { product })}
        </h2>
        <p className="mt-0.5 text-pretty">
          {count > 0 ? t("setup", { product, count }) : t("optional")}{" "}
          <Link to="/administration/setup" state={{ from: `${pathname}${search}` }} className={textLink}>
            {t("openSetup")}
          </Link>
        </p>
      </div>
      <CloseButton className="shrink-0" onClick={dismiss} />
    </section>
  );
}
