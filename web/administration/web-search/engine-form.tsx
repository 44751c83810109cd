import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import {
  needsSearchKey,
  SEARCH_KEY_MAX,
  type SearchEngineKind,
  searchEngineNames,
  type WebSearchAnswer,
} from "#contract/administration/web-search.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormFooter } from "../../forms/form-footer.tsx";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { SearchCheckResult } from "./search-check-result.tsx";
import { SearxngSteps } from "./searxng-steps.tsx";
import { type EngineFormState, useEngineForm } from "./use-engine-form.ts";

const EXAMPLE_ADDRESS = "http://127.0.0.1:8888";
const keyPages: Partial<Record<SearchEngineKind, string>> = {
  brave: "https://api-dashboard.search.brave.com/app/keys",
  tavily: "https://app.tavily.com/home",
};

type EngineFormProps = {
  webSearch: WebSearchAnswer;
  kind: SearchEngineKind;
  onSaved: (webSearch: WebSearchAnswer) => void;
};

/** Address and key of an engine, with a test before they are saved. */
export function EngineForm({ webSearch, kind, onSaved }: EngineFormProps) {
  const { t } = useTranslation("webSearch");
  const state = useEngineForm({ webSearch, kind, onSaved });
  const { form, stored, running, search } = state;
  const isService = needsSearchKey[kind];
  const isTesting = running === "test";
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    form.formProps.onInput(event);
    search.forget();
  };
  return (
    <form {...form.formProps} onInput={onInput} aria-label={searchEngineNames[kind]} className="flex flex-col gap-5">
      {kind === "searxng" && stored === null && <SearxngSteps />}
      <FailureBanner failure={form.failure} />
      {(!isService || stored?.baseUrl) && (
        <Field
          label={t("form.baseUrl")}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          placeholder={isService ? undefined : EXAMPLE_ADDRESS}
          defaultValue={stored?.baseUrl ?? ""}
          {...form.fieldProps("baseUrl")}
          required={!isService}
        />
      )}
      <KeyField state={state} />
      <SearchCheckResult checked={search.checked} />
      <FormFooter
        form={{ ...form, isSending: running === "save" }}
        submit={t("form.save")}
        submitting={t("form.saving")}
      >
        <Button
          variant="secondary"
          busy={isTesting}
          aria-disabled={form.isSending || undefined}
          onClick={() => form.isSending || state.test()}
        >
          {isTesting ? t("form.testing") : t("form.test")}
        </Button>
      </FormFooter>
    </form>
  );
}

/** The key, which is entered, or stored and never shown. */
function KeyField({ state: { kind, form, key, hasKey } }: { state: EngineFormState }) {
  const { t } = useTranslation("webSearch");
  const isNeeded = needsSearchKey[kind];
  const keyPage = keyPages[kind];
  if (key.state === "replace") {
    return (
      <div>
        <Field
          label={isNeeded ? t("form.apiKey") : t("form.apiKeyOptional")}
          hint={isNeeded ? t("form.apiKeyHint") : t("form.apiKeyOptionalHint")}
          type="password"
          autoComplete="off"
          dir="ltr"
          maxLength={SEARCH_KEY_MAX}
          {...form.fieldProps("apiKey")}
          required={isNeeded}
        />
        {keyPage !== undefined && (
          <a href={keyPage} target="_blank" rel="noreferrer" className={`${textLink} mt-1 inline-block text-xs`}>
            {t("form.keyPage", { name: searchEngineNames[kind] })}
          </a>
        )}
        {hasKey && (
          <Button variant="quiet" size="small" className="mt-2" onClick={() => key.change("keep")}>
            {t("key.keep")}
          </Button>
        )}
      </div>
    );
  }
  const isRemoved = key.state === "remove";
  return (
    <div>
      <p className="mb-1.5 font-medium text-sm">{t("form.apiKey")}</p>
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="me-2 text-muted">{isRemoved ? t("key.removed") : t("key.stored")}</span>
        {isRemoved ? (
          <Button variant="quiet" size="small" onClick={() => key.change("keep")}>
            {t("key.keep")}
          </Button>
        ) : (
          <Button variant="secondary" size="small" onClick={() => key.change("replace")}>
            {t("key.replace")}
          </Button>
        )}
        {!isRemoved && !isNeeded && (
          <Button variant="quiet" size="small" onClick={() => key.change("remove")}>
            {t("key.remove")}
          </Button>
        )}
      </div>
    </div>
  );
}
