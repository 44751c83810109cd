import { useEffect, useRef, useState } from "react";
import type {
  IdentityProviderCheck,
  IdentityProviderCheckRequest,
} from "#contract/administration/identity-providers.ts";
import { useAction } from "../../forms/use-action.ts";
import { withProof } from "../../proof/proof.ts";
import { identityProvidersApi } from "./identity-providers-api.ts";

/** Tests of the metadata of one provider, after a proof. Leaving the page aborts the request. */
export function useMetadataCheck() {
  const [result, setResult] = useState<IdentityProviderCheck | null>(null);
  const { run, busy, failure } = useAction<"check">();
  const leaving = useRef<AbortController>(null);
  useEffect(() => {
    const aborter = new AbortController();
    leaving.current = aborter;
    return () => aborter.abort();
  }, []);
  const check = (request: IdentityProviderCheckRequest) =>
    void run("check", async () => {
      setResult(null);
      setResult(await withProof(() => identityProvidersApi.check(request, leaving.current?.signal)));
    });
  return { result, check, isChecking: busy !== null, failure, forget: () => setResult(null) };
}

export type MetadataCheck = ReturnType<typeof useMetadataCheck>;
