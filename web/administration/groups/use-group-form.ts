import { useState } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { type AccountGroup, type AccountGroupList, GROUP_NAME_MAX } from "#contract/administration/groups.ts";
import { QUOTA_MAX_MB } from "#contract/limits.ts";
import { nameText } from "#contract/text/name-text.ts";
import { rule } from "#contract/text/validation.ts";
import { changedFields } from "../../forms/changed-fields.ts";
import { failureText } from "../../forms/failure-text.ts";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { withProof } from "../../proof/proof.ts";
import { enteredBudget } from "../entered-budget.ts";
import { groupsApi } from "./groups-api.ts";

type Choices = AccountGroupList["choices"];

const isQuota = (text: string) => /^\d{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= QUOTA_MAX_MB;
const isAmount = (text: string) => enteredBudget(text) !== undefined;

/** A number as text, or nothing: `z.coerce` would join every page's chunk. */
const numberText = (isValid: (text: string) => boolean) =>
  z.string().check(
    z.overwrite((text) => text.trim()),
    z.refine((text) => text === "" || isValid(text), { error: rule("invalid") }),
  );

const formSchema = z.object({
  name: nameText(GROUP_NAME_MAX),
  quotaMb: numberText(isQuota),
  budget: numberText(isAmount),
  memberBudget: numberText(isAmount),
  timeZone: z.string(),
  needsSecondFactor: z.optional(z.string()),
  mayShare: z.optional(z.string()),
});
type FormValues = z.infer<typeof formSchema>;

type EditedGroup = { group: AccountGroup | undefined; choices: Choices; onSaved: (group: AccountGroup) => void };

/** Edits a new group, or one that is there: its texts are fields of `form`, its models are chosen beside it. */
export function useGroupForm({ group, choices, onSaved }: EditedGroup) {
  const { t } = useTranslation("groups");
  // The group as its person saw it when the form was opened, also if the list is read again meanwhile.
  const [opened] = useState(group);
  const [models, setModels] = useState<readonly string[] | null>(group?.models ?? null);
  const [chosen, setChosen] = useState(group?.defaultModel ?? "");
  const [isMissing, setMissing] = useState(false);
  const permitted = models && new Set(models);
  // The server refuses a default model that the group does not have.
  const defaultModel = permitted === null || permitted.has(chosen) ? chosen : "";
  const form = useCheckedForm({
    schema: formSchema,
    labels: {
      name: t("fields.name"),
      quotaMb: t("fields.quotaMb"),
      budget: t("fields.budget"),
      memberBudget: t("fields.memberBudget"),
    },
    textOf: failureText,
    send: async ({ name, timeZone, needsSecondFactor, mayShare, ...numbers }: FormValues) => {
      setMissing(models?.length === 0);
      if (models?.length === 0) return null;
      const wanted = {
        name,
        timeZone,
        needsSecondFactor: needsSecondFactor !== undefined,
        mayShare: mayShare !== undefined,
        models: models && [...models],
        defaultModel: defaultModel || null,
        quotaMb: numbers.quotaMb === "" ? null : Number(numbers.quotaMb),
        budget: enteredBudget(numbers.budget),
        memberBudget: enteredBudget(numbers.memberBudget),
      };
      const save = () =>
        opened ? groupsApi.change(opened.id, changedFields(opened, wanted)) : groupsApi.create(wanted);
      onSaved(await withProof(save));
      return null;
    },
  });
  const pick = (picked: readonly string[] | null) => {
    setModels(picked);
    setMissing(false);
  };
  return {
    form,
    models: { picked: models, pick, isMissing },
    defaultModel: { value: defaultModel, offered: defaultsOf(choices, permitted), choose: setChosen },
  };
}

/** Returns the server's models that can be the default: those of the group. */
const defaultsOf = (choices: Choices, permitted: ReadonlySet<string> | null): Choices =>
  permitted === null
    ? choices
    : choices.map((group) => ({ ...group, models: group.models.filter(({ value }) => permitted.has(value)) }));
