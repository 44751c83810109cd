import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Navigate } from "react-router";
import { useSession } from "../accounts/session/session.ts";
import administration from "../locales/en/administration.json";
import chat from "../locales/en/chat.json";
import settings from "../locales/en/settings.json";
import { registerTexts } from "../locales/i18n.ts";
import { SideNav } from "../page/side-nav.tsx";
import { ProofDialog } from "../proof/proof-dialog.tsx";
import { AccountDetailsContext, readAccount } from "../queries/account-details.ts";
import { useResource } from "../queries/use-resource.ts";
import { Landmark } from "../ui/components/landmark.tsx";
import { PageTitle } from "../ui/components/page-title.tsx";
import { SkipLink } from "../ui/components/skip-link.tsx";
import { Banner } from "../ui/notifications/banner.tsx";
import { type AdministrationPage, pagesFor } from "./administration-pages.ts";
import { AuditPage } from "./audit/audit-page.tsx";
import { ConnectionsPage } from "./connections/connections-page.tsx";
import { GroupsPage } from "./groups/groups-page.tsx";
import { IdentityProvidersPage } from "./identity-providers/identity-providers-page.tsx";
import { InstallationPage } from "./installation/installation-page.tsx";
import { SetupPage } from "./installation/setup-page.tsx";
import { InvitationsPage } from "./invitations/invitations-page.tsx";
import { OverviewPage } from "./overview/overview-page.tsx";
import { PeoplePage } from "./people/people-page.tsx";
import { PersonPage } from "./people/person-page.tsx";
import { ToolServersPage } from "./tool-servers/tool-servers-page.tsx";
import { WebSearchPage } from "./web-search/web-search-page.tsx";

registerTexts("administration", administration);
// For the shortcuts and the palette, which every page has.
registerTexts("chat", chat);
registerTexts("settings", settings);

type AdministrationScreenProps = {
  page: AdministrationPage;
  /** Account of the page `people` that is shown alone. */
  account?: string | undefined;
  /** Called with the title of the shown page. */
  onTitle: (title: string | null) => void;
};

/** Administration of the server: a navigation at the side, on a phone on top, and one page. */
export function AdministrationScreen({ page, account, onTitle }: AdministrationScreenProps) {
  const { t } = useTranslation("administration");
  const { user } = useSession();
  // The question for a proof needs to know how the person signs in.
  const details = useResource(readAccount);
  const title = t(`page.${page}`);
  const pages = pagesFor(user?.role ?? "person");
  const isPermitted = pages.some((each) => each.page === page);
  useEffect(() => {
    onTitle(title);
    return () => onTitle(null);
  }, [onTitle, title]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page starts scrolled to its top
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [page, account]);
  const links = pages.map(({ page: each, Icon }) => ({
    to: `/administration/${each}`,
    Icon,
    name: t(`page.${each}`),
    isCurrent: each === page,
  }));
  // The first page of an administrator is none of a manager's.
  if (!isPermitted && pages.length > 0) return <Navigate to="/administration/people" replace />;
  return (
    <AccountDetailsContext value={details}>
      <div className="flex min-h-dvh flex-col md:flex-row">
        <SkipLink />
        <SideNav label={t("title")} back={t("back")} links={links} />
        <Landmark as="main" key={`${page} ${account}`} className="min-w-0 flex-1 px-4 pt-8 pb-24 sm:px-8 md:pt-14">
          <div className="mx-auto w-full max-w-[56rem]">
            {account === undefined && (
              <PageTitle className="font-semibold text-2xl tracking-[-0.022em]">{title}</PageTitle>
            )}
            {isPermitted ? shownPage(page, account) : <Banner className="mt-8">{t("notPermitted")}</Banner>}
          </div>
        </Landmark>
      </div>
      <ProofDialog section={`${page} ${account}`} />
    </AccountDetailsContext>
  );
}

function shownPage(page: AdministrationPage, account: string | undefined): ReactNode {
  if (page === "overview") return <OverviewPage />;
  if (page === "invitations") return <InvitationsPage />;
  if (page === "groups") return <GroupsPage />;
  if (page === "connections") return <ConnectionsPage />;
  if (page === "web-search") return <WebSearchPage />;
  if (page === "tool-servers") return <ToolServersPage />;
  if (page === "identity-providers") return <IdentityProvidersPage />;
  if (page === "settings") return <InstallationPage />;
  if (page === "audit") return <AuditPage />;
  if (page === "setup") return <SetupPage />;
  return account === undefined ? <PeoplePage /> : <PersonPage id={account} />;
}
