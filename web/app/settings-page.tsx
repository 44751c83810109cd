import { Navigate, useLocation, useParams } from "react-router";
import { errorSentences } from "#contract/errors.ts";
import { ActionsElsewhere } from "../actions/elsewhere.tsx";
import { registerTexts } from "../locales/i18n.ts";
import { NoticeMount } from "../notice/notice-mount.tsx";
import { SettingsScreen } from "../settings/settings-screen.tsx";
import { isSettingsSection, otherNameOfSection } from "../ui/settings-sections.ts";
import { NotFoundPage } from "./not-found-page.tsx";
import { useNameTab } from "./titled.tsx";

registerTexts("errors", errorSentences);

export default function SettingsPage() {
  const nameTab = useNameTab();
  const { section = "" } = useParams();
  const { state }: { state: unknown } = useLocation();
  const other = otherNameOfSection(section);
  if (other) return <Navigate to={`/settings/${other}`} replace state={state} />;
  if (!isSettingsSection(section)) return <NotFoundPage />;
  return (
    <>
      <NoticeMount />
      <SettingsScreen section={section} onTitle={nameTab} />
      <ActionsElsewhere />
    </>
  );
}
