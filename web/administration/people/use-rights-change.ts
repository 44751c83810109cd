import { useState } from "react";
import type { AdministeredAccount, ChangeAdministered } from "#contract/administration/administration.ts";
import { useAction } from "../../forms/use-action.ts";
import { withProof } from "../../proof/proof.ts";
import { administrationApi } from "../administration-api.ts";

/**
 * The saving of one right of an account. `save`: saves a change, confirmed by a sentence; null only removes what the form
 * says of the last one. `form`: what the form says.
 */
export function useRightsChange(account: AdministeredAccount, onChange: (account: AdministeredAccount) => void) {
  const { run, busy, failure } = useAction<"save">();
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const save = (change: ChangeAdministered | null, confirmed: string) =>
    void run("save", async () => {
      setConfirmation(null);
      if (change === null) return;
      onChange(await withProof(() => administrationApi.changeAccount(account.id, change)));
      setConfirmation(confirmed);
    });
  return { save, form: { isBusy: busy !== null, failure, confirmation } };
}
