import { useState } from "react";
import type { AdministeredAccount, ChangeAdministered } from "#contract/administration/administration.ts";
import { useAction } from "../../forms/use-action.ts";
import { withProof } from "../../proof/proof.ts";
import { administrationApi } from "../administration-api.ts";

/** An account, and the function that is called with it after a change. */
export type RightsProps = { account: AdministeredAccount; onChange: (account: AdministeredAccount) => void };

type Right<Value> = {
  /** The value of the account. */
  current: Value;
  /** Returns the change that saves a value: null if there is nothing to save, undefined if the value is invalid. */
  toChange: (value: Value) => ChangeAdministered | null | undefined;
  /** Sentence that confirms the change. */
  saved: string;
};

/**
 * Edits one right of an account. `isWrong`: an invalid value was submitted, and not corrected since. `form`: properties of
 * its `RightsForm`.
 */
export function useRightsForm<Value>({ account, onChange }: RightsProps, { current, toChange, saved }: Right<Value>) {
  const { run, busy, failure } = useAction<"save">();
  const [value, setValue] = useState(current);
  const [wasWrong, setWasWrong] = useState(false);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const change = toChange(value);
  const save = () => {
    setWasWrong(change === undefined);
    void run("save", async () => {
      setConfirmation(null);
      if (!change) return;
      onChange(await withProof(() => administrationApi.changeAccount(account.id, change)));
      setConfirmation(saved);
    });
  };
  return {
    value,
    setValue,
    isWrong: wasWrong && change === undefined,
    form: { isChanged: change !== null, isBusy: busy !== null, failure, confirmation, onSave: save },
  };
}
