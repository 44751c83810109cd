import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ADDRESS_BLANK, type ConnectionTemplate } from "#contract/administration/connection-templates.ts";
import { CONNECTION_NAME_MAX, type Connection } from "#contract/administration/connections.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormFooter } from "../../forms/form-footer.tsx";
import connectionTexts from "../../locales/en/connections.json";
import { registerTexts } from "../../locales/i18n.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { TemplatePicker } from "./template-picker.tsx";
import { useNewConnection } from "./use-new-connection.ts";

const EXAMPLE_ADDRESS = "https://example.org/v1";

registerTexts("connections", connectionTexts);

type AddConnectionProps = {
  onConnected: (connection: Connection) => void;
  /** Absent: the form is always open. */
  onCancel?: (() => void) | undefined;
};

/** Connects a server: its template first, then address and key. */
export function AddConnection({ onConnected, onCancel }: AddConnectionProps) {
  const { t } = useTranslation("connections");
  const [template, setTemplate] = useState<ConnectionTemplate | null>(null);
  if (template !== null) {
    return <NewConnectionForm template={template} onConnected={onConnected} onBack={() => setTemplate(null)} />;
  }
  return (
    <div className="p-4 sm:p-5">
      <TemplatePicker onPick={setTemplate} />
      {onCancel && (
        <div className="mt-4 flex justify-end">
          <Button variant="quiet" onClick={onCancel}>
            {t("form.cancel")}
          </Button>
        </div>
      )}
    </div>
  );
}

type NewConnectionFormProps = {
  template: ConnectionTemplate;
  onConnected: (connection: Connection) => void;
  onBack: () => void;
};

function NewConnectionForm({ template, onConnected, onBack }: NewConnectionFormProps) {
  const { t } = useTranslation("connections");
  const form = useNewConnection(template, onConnected);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { key, keyPage, hint, baseUrl } = template;
  const name = template.name ?? t("templates.other");
  return (
    <form {...form.formProps} className="flex flex-col gap-5 p-4 sm:p-5">
      <h3 ref={heading} tabIndex={-1} className="font-semibold text-base">
        {t("add.title", { name })}
      </h3>
      <FailureBanner failure={form.failure} />
      <Field
        label={t("form.name")}
        hint={t("form.nameHint")}
        maxLength={CONNECTION_NAME_MAX}
        autoComplete="off"
        defaultValue={template.name ?? ""}
        {...form.fieldProps("name")}
      />
      <Field
        label={t("form.baseUrl")}
        hint={hint && t(`hints.${hint}`, { blank: ADDRESS_BLANK })}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        defaultValue={baseUrl}
        placeholder={EXAMPLE_ADDRESS}
        {...form.fieldProps("baseUrl")}
      />
      {key === "none" ? (
        <input type="hidden" name="apiKey" value="" />
      ) : (
        <div>
          <Field
            label={key === "optional" ? t("form.apiKeyOptional") : t("form.apiKey")}
            hint={t("form.apiKeyHint")}
            type="password"
            autoComplete="off"
            dir="ltr"
            {...form.fieldProps("apiKey")}
            required={key === "required"}
          />
          {keyPage !== undefined && (
            <a href={keyPage} target="_blank" rel="noreferrer" className={`${textLink} mt-1 inline-block text-xs`}>
              {t("form.keyPage", { name })}
            </a>
          )}
        </div>
      )}
      <FormFooter form={form} submit={t("add.connect")} submitting={t("add.connecting")}>
        <Button variant="quiet" onClick={onBack}>
          {t("add.back")}
        </Button>
      </FormFooter>
    </form>
  );
}
