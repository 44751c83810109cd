import { useLocation, useNavigate } from "react-router";

/** Goes to a page of the settings, whose way back leads to what is open here. */
export function useGoToSettings(): (page: string) => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return (page) => void navigate(`/settings/${page}`, { state: { from: `${pathname}${search}` } });
}
