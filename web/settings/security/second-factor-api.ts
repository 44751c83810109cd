/** API calls of the second factor. All throw ApiError, and must be made through `withProof`. */

import { accountPaths } from "#contract/accounts/paths.ts";
import { type ConfirmTotp, recoveryCodesSchema, totpEnrolmentSchema } from "#contract/accounts/second-factor.ts";
import { api } from "../../api/client.ts";

export const secondFactorApi = {
  beginEnrolment: () => api.post(accountPaths.totpEnrolment, undefined, totpEnrolmentSchema),
  confirmEnrolment: (request: ConfirmTotp) => api.post(accountPaths.secondFactor, request, recoveryCodesSchema),
  renewRecoveryCodes: (code: string) => api.post(accountPaths.recoveryCodes, { code }, recoveryCodesSchema),
  switchOff: (code: string) => api.post(accountPaths.secondFactorRemoval, { code }, null),
  /** Needs no proof, because it protects the account. */
  stopLoss: () => api.delete(accountPaths.secondFactorLoss),
  endRememberedBrowsers: () => api.delete(accountPaths.rememberedBrowsers),
};
