import { type ComponentType, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import settings from "../locales/en/settings.json";
import { registerTexts } from "../locales/i18n.ts";
import { ProofDialog } from "../proof/proof-dialog.tsx";
import { AccountDetailsContext, readAccount } from "../queries/account-details.ts";
import { useResource } from "../queries/use-resource.ts";
import { Landmark } from "../ui/components/landmark.tsx";
import { Link } from "../ui/components/link.tsx";
import { PageTitle } from "../ui/components/page-title.tsx";
import { SkipLink } from "../ui/components/skip-link.tsx";
import { lazyModule } from "../ui/lazy/lazy-module.ts";
import type { SettingsSection } from "../ui/settings-sections.ts";
import { AccountPage } from "./account/account-page.tsx";
import { DataPage } from "./data/data-page.tsx";
import { LazyPage } from "./lazy-page.tsx";
import { SettingsNav } from "./settings-nav.tsx";

registerTexts("settings", settings);

/** Larger pages, loaded when they are opened. */
const lazyPages = {
  security: lazyModule(async () => (await import("./security/security-page.tsx")).SecurityPage),
  appearance: lazyModule(async () => (await import("./appearance/appearance-page.tsx")).AppearancePage),
  models: lazyModule(async () => (await import("./models/models-page.tsx")).ModelsPage),
  chat: lazyModule(async () => (await import("./chat/chat-settings-page.tsx")).ChatSettingsPage),
  tools: lazyModule(async () => (await import("./tools/tools-page.tsx")).default),
  usage: lazyModule(async () => (await import("./usage/usage-page.tsx")).default),
};

const pages: Record<SettingsSection, ComponentType> = {
  account: AccountPage,
  security: () => <LazyPage module={lazyPages.security} />,
  data: DataPage,
  appearance: () => <LazyPage module={lazyPages.appearance} />,
  chat: () => <LazyPage module={lazyPages.chat} />,
  models: () => <LazyPage module={lazyPages.models} />,
  tools: () => <LazyPage module={lazyPages.tools} />,
  usage: () => <LazyPage module={lazyPages.usage} />,
};

type SettingsScreenProps = {
  section: SettingsSection;
  /** Called with the title of the shown section. */
  onTitle: (title: string | null) => void;
};

/** Settings of the signed-in person: a navigation at the side, on a phone on top, and one page. */
export function SettingsScreen({ section, onTitle }: SettingsScreenProps) {
  const { t } = useTranslation(["settings", "app"]);
  const details = useResource(readAccount);
  const title = t(`app:settingsPage.${section}`);
  const Page = pages[section];
  useEffect(() => {
    onTitle(title);
    return () => onTitle(null);
  }, [onTitle, title]);
  const { hash } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new section starts scrolled to its top
  useEffect(() => {
    // A part of the page scrolls itself into view.
    if (hash === "") window.scrollTo(0, 0);
  }, [section]);
  return (
    <AccountDetailsContext value={details}>
      <div className="flex min-h-dvh flex-col md:flex-row">
        <SkipLink />
        <SettingsNav section={section} />
        <Landmark as="main" key={section} className="min-w-0 flex-1 px-4 pt-8 pb-24 sm:px-8 md:pt-14">
          <div className="mx-auto w-full max-w-[40rem]">
            <PageTitle className="font-semibold text-2xl tracking-[-0.022em]">{title}</PageTitle>
            <Page />
            <Link
              to="/accessibility"
              className="mt-12 inline-flex min-h-6 items-center rounded-small text-muted text-sm underline-offset-4 hover:text-ink hover:underline pointer-coarse:min-h-11"
            >
              {t("app:page.accessibility")}
            </Link>
          </div>
        </Landmark>
      </div>
      <ProofDialog section={section} />
    </AccountDetailsContext>
  );
}
