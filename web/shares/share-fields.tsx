import { useTranslation } from "react-i18next";
import type { ShareRules } from "#contract/shares/shares.ts";
import { personName } from "../accounts/person-name.ts";
import { useSession } from "../accounts/session/session.ts";
import { CheckField } from "../ui/components/fields/check-field.tsx";
import { RadioChoices } from "../ui/components/fields/radio-choices.tsx";
import { SelectField } from "../ui/components/fields/select-field.tsx";
import { allowedLives } from "./share-choices.ts";
import { audienceText, lifeText } from "./share-texts.ts";
import type { ShareFormState } from "./use-share-form.ts";

/** Fields of the form of a link: its contents, its audience and its life. */
export function ShareFields({ form, rules }: { form: ShareFormState; rules: ShareRules }) {
  const { t } = useTranslation("shares");
  const { audience, setAudience, life, setLife } = form;
  const lives = allowedLives(rules);
  return (
    <>
      <ContentFields form={form} />
      <RadioChoices
        label={t("audience.legend")}
        choices={rules.audiences.map((value) => ({ value, ...audienceText(value, rules.group) }))}
        value={audience}
        onChange={setAudience}
      />
      <SelectField
        label={t("life.label")}
        value={lives.indexOf(life)}
        onChange={({ target }) => setLife(lives[Number(target.value)] ?? null)}
      >
        {lives.map((days, index) => (
          <option key={days} value={index}>
            {lifeText(days)}
          </option>
        ))}
      </SelectField>
    </>
  );
}

const contents = ["files", "reasoning", "tools", "author"] as const;

function ContentFields({ form: { options, setOptions } }: { form: ShareFormState }) {
  const { t } = useTranslation("shares");
  const { user } = useSession();
  const hints = {
    files: undefined,
    reasoning: undefined,
    tools: t("contents.toolsHint"),
    author: user ? t("contents.authorHint", { name: personName(user) }) : undefined,
  };
  return (
    <fieldset className="min-w-0 space-y-1">
      <legend className="mb-1 font-medium text-sm">{t("contents.legend")}</legend>
      {contents.map((content) => (
        <CheckField
          key={content}
          label={t(`contents.${content}`)}
          hint={hints[content]}
          checked={options[content]}
          onChange={({ target }) => setOptions({ ...options, [content]: target.checked })}
        />
      ))}
    </fieldset>
  );
}
