import { useParams } from "react-router";
import { errorSentences } from "#contract/errors.ts";
import { ActionsElsewhere } from "../actions/elsewhere.tsx";
import { isAdministrationPage } from "../administration/administration-pages.ts";
import { AdministrationScreen } from "../administration/administration-screen.tsx";
import { registerTexts } from "../locales/i18n.ts";
import { NoticeMount } from "../notice/notice-mount.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { useNameTab } from "./titled.tsx";

registerTexts("errors", errorSentences);

export default function AdministrationPage() {
  const nameTab = useNameTab();
  const { page = "", account } = useParams();
  if (!isAdministrationPage(page) || (account !== undefined && page !== "people")) return <NotFoundPage />;
  return (
    <>
      <NoticeMount />
      <AdministrationScreen page={page} account={account} onTitle={nameTab} />
      <ActionsElsewhere />
    </>
  );
}
