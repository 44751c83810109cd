import { useLocation, useNavigate } from "react-router";

/** Navigates to a settings page with a back link to this page; between settings pages the back link is retained. */
export function useGoToSettings(): (page: string) => void {
  const navigate = useNavigate();
  const { pathname, search, state }: { pathname: string; search: string; state: unknown } = useLocation();
  const way = pathname.startsWith("/settings/") ? state : { from: `${pathname}${search}` };
  return (page) => void navigate(`/settings/${page}`, { state: way });
}
