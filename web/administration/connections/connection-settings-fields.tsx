import { useState } from "react";
import { useTranslation } from "react-i18next";
import { openAiApis } from "#contract/administration/connections.ts";
import { Button } from "../../ui/components/button.tsx";
import { CheckField } from "../../ui/components/fields/check-field.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { SelectField } from "../../ui/components/fields/select-field.tsx";
import { TextArea } from "../../ui/components/fields/text-area.tsx";
import type { ConnectionFormState } from "./use-connection-form.ts";

const EXAMPLE_HEADER = "X-Team: salon";

const offers = ["all", "chosen", "pattern"] as const;
/** The form's limit of all headers together, in UTF-16 units. */
const HEADER_LINES_MAX = 8000;

/** Settings of a connection that few owners change. */
export function ConnectionSettingsFields({ state }: { state: ConnectionFormState }) {
  const { t } = useTranslation("connections");
  const { connection, form } = state;
  const { settings, kind } = connection;
  const [offer, setOffer] = useState<string>(settings.offer);
  const text = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;
  return (
    <div className="flex flex-col gap-5">
      <div>
        <SelectField
          name="offer"
          label={t("form.offer")}
          value={offer}
          onChange={({ target }) => setOffer(target.value)}
        >
          {offers.map((each) => (
            <option key={each} value={each}>
              {t(`form.offers.${each}`)}
            </option>
          ))}
        </SelectField>
        {offer === "chosen" && <p className="pt-1 text-muted text-xs">{t("form.chosenHint")}</p>}
      </div>
      {offer === "pattern" ? (
        <Field
          label={t("form.pattern")}
          hint={t("form.patternHint")}
          dir="ltr"
          defaultValue={settings.pattern}
          {...text}
          {...form.fieldProps("pattern")}
        />
      ) : (
        <input type="hidden" name="pattern" defaultValue={settings.pattern} />
      )}
      <Field
        label={t("form.unknownContextTokens")}
        hint={t("form.unknownContextTokensHint")}
        inputMode="numeric"
        defaultValue={settings.unknownContextTokens ?? ""}
        {...text}
        {...form.fieldProps("unknownContextTokens")}
        required={false}
      />
      {kind === "anthropic" ? (
        <input type="hidden" name="api" defaultValue={settings.api ?? ""} />
      ) : (
        <SelectField name="api" label={t("form.api")} defaultValue={settings.api ?? ""}>
          <option value="">{t("form.apiDefault")}</option>
          {openAiApis.map((api) => (
            <option key={api} value={api}>
              {t(`form.apis.${api}`)}
            </option>
          ))}
        </SelectField>
      )}
      {kind === "azure" && (
        <Field
          label={t("form.apiVersion")}
          hint={t("form.apiVersionHint")}
          dir="ltr"
          defaultValue={settings.apiVersion ?? ""}
          {...text}
          {...form.fieldProps("apiVersion")}
          required={false}
        />
      )}
      <CheckField label={t("form.usesProxy")} name="usesProxy" value="yes" defaultChecked={settings.usesProxy} />
      <CheckField
        label={t("form.sendsPerson")}
        hint={t("form.sendsPersonHint")}
        name="sendsPerson"
        value="yes"
        defaultChecked={settings.sendsPerson}
      />
      <HeadersField state={state} />
    </div>
  );
}

/** Additional headers. The values of stored ones are never shown, so that all are replaced together. */
function HeadersField({ state: { connection, headers } }: { state: ConnectionFormState }) {
  const { t } = useTranslation("connections");
  const stored = connection.headers;
  if (headers.text === null) {
    return (
      <div>
        <p className="mb-1.5 font-medium text-sm">{t("form.headers")}</p>
        <div className="flex flex-wrap items-center gap-2 text-sm">
          <span className="me-2 text-muted [overflow-wrap:anywhere]">
            {stored.length === 0 ? t("headers.none") : stored.map((name) => `${name}: ••••`).join(", ")}
          </span>
          <Button variant="secondary" size="small" onClick={() => headers.enter("")}>
            {stored.length === 0 ? t("headers.add") : t("headers.replace")}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div>
      <TextArea
        label={t("form.headers")}
        limit={HEADER_LINES_MAX}
        rows={3}
        dir="ltr"
        spellCheck={false}
        placeholder={EXAMPLE_HEADER}
        value={headers.text}
        error={headers.error ?? undefined}
        onChange={({ target }) => headers.enter(target.value)}
      >
        <p className="text-pretty text-muted leading-text">
          {t("headers.hint", { account: "{account}", group: "{group}", email: "{email}", name: "{name}" })}
        </p>
      </TextArea>
      <Button variant="quiet" size="small" className="mt-2" onClick={() => headers.enter(null)}>
        {stored.length === 0 ? t("form.cancel") : t("headers.keep")}
      </Button>
    </div>
  );
}
