import { useLocation, useNavigate } from "react-router";

/** Goes to a page of the settings, whose way back leads to what is open here; from one of them, to where that one's led. */
export function useGoToSettings(): (page: string) => void {
  const navigate = useNavigate();
  const { pathname, search, state }: { pathname: string; search: string; state: unknown } = useLocation();
  const way = pathname.startsWith("/settings/") ? state : { from: `${pathname}${search}` };
  return (page) => void navigate(`/settings/${page}`, { state: way });
}
