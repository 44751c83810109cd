import { useEffect, useRef, useState } from "react";
import type { NewSearchEngine, SearchCheck } from "#contract/administration/web-search.ts";
import { withProof } from "../../proof/proof.ts";
import { webSearchApi } from "./web-search-api.ts";

/** Result of a test, with the engine that was tested. */
export type CheckedEngine = { kind: string; result: SearchCheck };

/** Tests a search engine, after a proof. Leaving the page aborts the request. */
export function useSearchCheck() {
  const [checked, setChecked] = useState<CheckedEngine | null>(null);
  const leaving = useRef<AbortController>(null);
  useEffect(() => {
    const aborter = new AbortController();
    leaving.current = aborter;
    return () => aborter.abort();
  }, []);
  /** `engine`: values that are not saved; null: the engine in effect. @throws ApiError, Declined */
  const check = async (kind: string, engine: NewSearchEngine | null) => {
    setChecked(null);
    const result = await withProof(() => webSearchApi.check(engine, leaving.current?.signal));
    setChecked({ kind, result });
  };
  return { checked, check, forget: () => setChecked(null) };
}
