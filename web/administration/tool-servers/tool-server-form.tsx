import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import {
  type AdministeredMcpServer,
  MCP_SERVER_NAME_MAX,
  type SavedMcpServer,
} from "#contract/administration/mcp-servers.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormFooter } from "../../forms/form-footer.tsx";
import { Button } from "../../ui/components/button.tsx";
import { CheckField } from "../../ui/components/fields/check-field.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { TextArea } from "../../ui/components/fields/text-area.tsx";
import { ServerCheckResult } from "./server-check-result.tsx";
import { ServerGroupsField } from "./server-groups-field.tsx";
import { type ToolServerFormState, useToolServerForm } from "./use-tool-server-form.ts";

const EXAMPLE_ADDRESS = "https://mcp.example.org/mcp";
const EXAMPLE_HEADER = "Authorization: Bearer 0123456789";
/** The form's limit of all headers together, in UTF-16 units. */
const HEADER_LINES_MAX = 8000;

type ToolServerFormProps = {
  /** Null: a new one. */
  server: AdministeredMcpServer | null;
  onSaved: (saved: SavedMcpServer) => void;
  onCancel: () => void;
};

/** Form of a new server, or of a stored one, whose heading takes the focus. Its values can be tested before. */
export function ToolServerForm({ server, onSaved, onCancel }: ToolServerFormProps) {
  const { t } = useTranslation("mcpServers");
  const state = useToolServerForm({ server, onSaved });
  const { form, check } = state;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <form {...form.formProps} className="flex flex-col gap-5 p-4 sm:p-5">
      {server && (
        <h3 ref={heading} tabIndex={-1} className="font-semibold text-base">
          {t("editLabel", { name: server.name })}
        </h3>
      )}
      <FailureBanner failure={form.failure} />
      <AddressFields state={state} />
      <HeadersField state={state} />
      <ServerGroupsField state={state} />
      <CheckField
        label={t("form.isTrusted")}
        hint={t("form.isTrustedHint")}
        name="isTrusted"
        value="yes"
        defaultChecked={server?.isTrusted}
      />
      <FailureBanner failure={check.failure} />
      {check.failure === null && <ServerCheckResult check={check.result} />}
      <FormFooter
        form={form}
        submit={server ? t("form.save") : t("add.submit")}
        submitting={server ? t("form.saving") : t("add.submitting")}
      >
        <TestButton state={state} />
        <Button variant="quiet" onClick={onCancel}>
          {t("form.cancel")}
        </Button>
      </FormFooter>
    </form>
  );
}

type StateProps = { state: ToolServerFormState };

function AddressFields({ state: { server, form, address } }: StateProps) {
  const { t } = useTranslation("mcpServers");
  const isInsecure = /^http:/i.test(address.text.trim());
  return (
    <>
      <Field
        label={t("form.name")}
        hint={t("form.nameHint")}
        maxLength={MCP_SERVER_NAME_MAX}
        autoComplete="off"
        defaultValue={server?.name}
        {...form.fieldProps("name")}
      />
      <Field
        label={t("form.url")}
        hint={t("form.urlHint")}
        warning={isInsecure ? t("form.insecure") : null}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        placeholder={EXAMPLE_ADDRESS}
        value={address.text}
        onChange={({ target }) => address.enter(target.value)}
        {...form.fieldProps("url")}
      />
    </>
  );
}

function TestButton({ state: { address, check, test } }: StateProps) {
  const { t } = useTranslation("mcpServers");
  const isPossible = URL.canParse(address.text.trim()) && !check.isChecking;
  return (
    <Button
      variant="secondary"
      busy={check.isChecking}
      aria-disabled={!isPossible || undefined}
      onClick={() => isPossible && test()}
    >
      {check.isChecking ? t("check.running") : t("check.run")}
    </Button>
  );
}

/** Headers with keys, whose stored values are never shown, so that all are replaced together. */
function HeadersField({ state: { headers } }: StateProps) {
  const { t } = useTranslation("mcpServers");
  const { stored, state, isUnreadable } = headers;
  const isStored = stored.length > 0;
  if (state === "replace") {
    return (
      <div>
        <TextArea
          label={t("form.headers")}
          limit={HEADER_LINES_MAX}
          rows={2}
          dir="ltr"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          placeholder={EXAMPLE_HEADER}
          value={headers.text}
          error={headers.error ?? undefined}
          onChange={({ target }) => headers.enter(target.value)}
        >
          <p className="text-pretty text-muted leading-text">{t("headers.hint", { example: EXAMPLE_HEADER })}</p>
        </TextArea>
        {!isUnreadable && (
          <Button variant="quiet" size="small" className="mt-2" onClick={() => headers.change("keep")}>
            {isStored ? t("headers.keep") : t("form.cancel")}
          </Button>
        )}
      </div>
    );
  }
  const isRemoved = state === "remove";
  const shown = stored.map(({ name, end }) => `${name}: ••••${end}`).join(", ");
  return (
    <div>
      <p className="mb-1.5 font-medium text-sm">{t("form.headers")}</p>
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span dir={isStored && !isRemoved ? "ltr" : "auto"} className="me-2 text-muted [overflow-wrap:anywhere]">
          {isRemoved ? t("headers.removed") : isStored ? shown : t("headers.none")}
        </span>
        <Button variant="secondary" size="small" onClick={() => headers.change("replace")}>
          {isStored ? t("headers.replace") : t("headers.add")}
        </Button>
        {isStored && (
          <Button variant="quiet" size="small" onClick={() => headers.change(isRemoved ? "keep" : "remove")}>
            {isRemoved ? t("headers.keep") : t("headers.remove")}
          </Button>
        )}
      </div>
    </div>
  );
}
