import { ChevronDown } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { CONNECTION_NAME_MAX, type Connection } from "#contract/administration/connections.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormFooter } from "../../forms/form-footer.tsx";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { Field } from "../../ui/components/fields/field.tsx";
import { ConnectionSettingsFields } from "./connection-settings-fields.tsx";
import { type ConnectionFormState, useConnectionForm } from "./use-connection-form.ts";

type ConnectionFormProps = {
  connection: Connection;
  onSaved: (connection: Connection) => void;
  onCancel: () => void;
};

/** Form of a stored connection. Its heading takes the focus. */
export function ConnectionForm({ connection, onSaved, onCancel }: ConnectionFormProps) {
  const { t } = useTranslation("connections");
  const state = useConnectionForm(connection, onSaved);
  const { form } = state;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const [isMoreOpen, setMoreOpen] = useState(false);
  const more = useId();
  const hasErrorInMore =
    state.headers.error !== null ||
    (["pattern", "apiVersion", "unknownContextTokens"] as const).some((name) => form.fieldProps(name).error);
  const isMoreShown = isMoreOpen || hasErrorInMore;
  return (
    <form {...form.formProps} className="flex flex-col gap-5 p-4 sm:p-5">
      <h3 ref={heading} tabIndex={-1} className="font-semibold text-base">
        {t("editLabel", { name: connection.name })}
      </h3>
      <FailureBanner failure={form.failure} />
      <Field
        label={t("form.name")}
        maxLength={CONNECTION_NAME_MAX}
        autoComplete="off"
        defaultValue={connection.name}
        {...form.fieldProps("name")}
      />
      <Field
        label={t("form.baseUrl")}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        defaultValue={connection.baseUrl}
        {...form.fieldProps("baseUrl")}
      />
      <KeyField state={state} />
      <div>
        <Button
          variant="secondary"
          size="small"
          aria-expanded={isMoreShown}
          aria-controls={more}
          onClick={() => setMoreOpen(!isMoreShown)}
        >
          {t("form.more")}
          <ChevronDown aria-hidden="true" className={cx("size-4", isMoreShown && "rotate-180")} />
        </Button>
        <div id={more} hidden={!isMoreShown} className="mt-4">
          <ConnectionSettingsFields state={state} />
        </div>
      </div>
      <FormFooter form={form} submit={t("form.save")} submitting={t("form.saving")}>
        <Button variant="quiet" onClick={onCancel}>
          {t("form.cancel")}
        </Button>
      </FormFooter>
    </form>
  );
}

/** The stored key in its last characters, which is replaced or removed; it is never shown. */
function KeyField({ state: { connection, form, key } }: { state: ConnectionFormState }) {
  const { t } = useTranslation("connections");
  const { keyEnd, isUnreadable } = connection;
  if (key.state === "replace") {
    return (
      <div>
        <Field
          label={t("form.apiKey")}
          hint={t("form.apiKeyHint")}
          type="password"
          autoComplete="off"
          dir="ltr"
          {...form.fieldProps("apiKey")}
        />
        <Button variant="quiet" size="small" className="mt-2" onClick={() => key.change("keep")}>
          {isUnreadable || keyEnd === null ? t("key.without") : t("key.keep")}
        </Button>
      </div>
    );
  }
  const isRemoved = key.state === "remove";
  const hasKey = keyEnd !== null && !isRemoved;
  const shown = isRemoved ? t("key.removed") : hasKey ? `••••${keyEnd}` : t("key.none");
  return (
    <div>
      <p className="mb-1.5 font-medium text-sm">{t("form.apiKey")}</p>
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span dir="auto" className="me-2 text-muted tabular-nums">
          {shown}
        </span>
        <Button variant="secondary" size="small" onClick={() => key.change("replace")}>
          {hasKey ? t("key.replace") : t("key.enter")}
        </Button>
        {hasKey && (
          <Button variant="quiet" size="small" onClick={() => key.change("remove")}>
            {t("key.remove")}
          </Button>
        )}
        {isRemoved && (
          <Button variant="quiet" size="small" onClick={() => key.change("keep")}>
            {t("key.keep")}
          </Button>
        )}
      </div>
    </div>
  );
}
