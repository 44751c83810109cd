import { useLocation, useNavigate } from "react-router";
import type { SettingsSection } from "./settings-sections.ts";

/** Navigates to a settings page with a back link to this page; between settings pages the back link is retained. */
export function useGoToSettings(): (section: SettingsSection) => void {
  const navigate = useNavigate();
  const { pathname, search, state }: { pathname: string; search: string; state: unknown } = useLocation();
  const way = pathname.startsWith("/settings/") ? state : { from: `${pathname}${search}` };
  return (section) => void navigate(`/settings/${section}`, { state: way });
}
