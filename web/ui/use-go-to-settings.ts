import { useLocation, useNavigate } from "react-router";
import type { SettingsLocation } from "./settings-sections.ts";

/** Pages that have a link back to the page from which they were opened. */
const WITH_WAY_BACK = /^\/(settings|administration)\//;

/** Navigates to a page with a back link to this page; between such pages the back link is retained. */
export function useGoToPage(): (path: string) => void {
  const navigate = useNavigate();
  const { pathname, search, state }: { pathname: string; search: string; state: unknown } = useLocation();
  const way = WITH_WAY_BACK.test(pathname) ? state : { from: `${pathname}${search}` };
  return (path) => void navigate(path, { state: way });
}

/** {@link useGoToPage} for the pages of the settings. */
export function useGoToSettings(): (location: SettingsLocation) => void {
  const goTo = useGoToPage();
  return (location) => goTo(`/settings/${location}`);
}
