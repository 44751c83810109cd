import { type ProofRequest, provedSchema } from "#contract/accounts/account-settings.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { api } from "../api/client.ts";

/** Proves who uses the session. @throws ApiError */
export const prove = (proof: ProofRequest) => api.post(accountPaths.proof, proof, provedSchema);
