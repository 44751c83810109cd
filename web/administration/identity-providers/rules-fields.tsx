import { Plus, X } from "lucide-react";
import { type ReactNode, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { PROVIDER_RULES_MAX, ruledRoles } from "#contract/administration/identity-providers.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { SelectField } from "../../ui/components/fields/select-field.tsx";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { MoveButtons } from "../connections/move-buttons.tsx";
import { useGroups } from "../groups/group-select.tsx";
import type { EnteredRule, Rules } from "./use-rules.ts";

const EXAMPLE_VALUE = "teachers";

type RulesFieldsProps = { groupRules: Rules; roleRules: Rules; error: string | null };

/** Rules by which people get their group and their role at each sign-in. */
export function RulesFields({ groupRules, roleRules, error }: RulesFieldsProps) {
  const { t } = useTranslation(["identityProviders", "administration"]);
  const groups = useGroups();
  const groupOptions = ({ target }: EnteredRule) => [
    ...groups.map(({ id, name }) => ({ value: id, name })),
    ...(target !== "" && groups.every(({ id }) => id !== target)
      ? [{ value: target, name: t("administration:audit.goneGroup") }]
      : []),
  ];
  const roleOptions = () => ruledRoles.map((role) => ({ value: role, name: t(`administration:roles.${role}`) }));
  return (
    <div className="flex flex-col gap-6">
      <p className="text-pretty text-muted text-sm leading-text">{t("rules.text", { all: "*" })}</p>
      {error !== null && (
        <p role="alert" className="text-danger text-sm">
          {error}
        </p>
      )}
      <RuleList
        rules={groupRules}
        title={t("rules.groups")}
        text={groups.length === 0 ? t("rules.noGroups") : t("rules.groupsText")}
        target={t("rules.group")}
        optionsOf={groupOptions}
        canAdd={groups.length > 0}
      />
      <RuleList
        rules={roleRules}
        title={t("rules.roles")}
        text={t("rules.rolesText")}
        target={t("rules.role")}
        optionsOf={roleOptions}
        canAdd
      />
    </div>
  );
}

type RuleListProps = {
  rules: Rules;
  title: string;
  text: string;
  /** Label of the select. */
  target: string;
  optionsOf: (rule: EnteredRule) => { value: string; name: string }[];
  canAdd: boolean;
};

function RuleList({ rules, title, text, target, optionsOf, canAdd }: RuleListProps) {
  const { t } = useTranslation("identityProviders");
  const id = useId();
  const addButton = useRef<HTMLButtonElement>(null);
  const list = rules.rules;
  return (
    <section aria-labelledby={id}>
      <p id={id} className="font-medium text-sm">
        {title}
      </p>
      <p className="mt-0.5 text-pretty text-muted text-xs">{text}</p>
      {list.length > 0 && (
        <ol className="mt-3 flex flex-col gap-3">
          {list.map((rule, index) => (
            <RuleRow
              key={rule.key}
              rule={rule}
              target={target}
              options={optionsOf(rule)}
              onChange={(changed) => rules.change(rule.key, changed)}
            >
              <MoveButtons
                name={rule.value || t("rules.number", { number: index + 1 })}
                index={index}
                count={list.length}
                onMove={(to) => rules.move(index, to)}
              />
              <IconButton
                label={t("rules.remove", { name: rule.value || t("rules.number", { number: index + 1 }) })}
                icon={<X aria-hidden="true" />}
                size="small"
                onClick={() => {
                  rules.remove(rule.key);
                  addButton.current?.focus();
                }}
              />
            </RuleRow>
          ))}
        </ol>
      )}
      {canAdd && list.length < PROVIDER_RULES_MAX && (
        <Button ref={addButton} variant="secondary" size="small" className="mt-3" onClick={rules.add}>
          <Plus aria-hidden="true" className="size-4" />
          {t("rules.add")}
        </Button>
      )}
    </section>
  );
}

type RuleRowProps = {
  rule: EnteredRule;
  target: string;
  options: readonly { value: string; name: string }[];
  onChange: (changed: Partial<EnteredRule>) => void;
  /** Buttons at the end. */
  children: ReactNode;
};

function RuleRow({ rule, target, options, onChange, children }: RuleRowProps) {
  const { t } = useTranslation("identityProviders");
  return (
    <li className="flex flex-wrap items-end gap-x-3 gap-y-2">
      <Field
        label={t("rules.value")}
        placeholder={EXAMPLE_VALUE}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="min-w-0 flex-1 basis-40"
        value={rule.value}
        onChange={({ target: { value } }) => onChange({ value })}
      />
      <SelectField
        label={target}
        className="min-w-0 flex-1 basis-40"
        value={rule.target}
        onChange={(event) => onChange({ target: event.target.value })}
      >
        <option value="">{t("rules.choose")}</option>
        {options.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </SelectField>
      <span className="ms-auto flex h-11 items-center">{children}</span>
    </li>
  );
}
