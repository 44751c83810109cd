import { useMemo } from "react";
import { type NavigateOptions, useLocation, useNavigate } from "react-router";

/** Returns the parameters of the address's query, and a function that replaces all of them. */
export function useSearchParams() {
  const { search } = useLocation();
  const navigate = useNavigate();
  const parameters = useMemo(() => new URLSearchParams(search), [search]);
  const setParameters = (next: Record<string, string>, options?: NavigateOptions) =>
    void navigate(`?${new URLSearchParams(next)}`, options);
  return [parameters, setParameters] as const;
}
