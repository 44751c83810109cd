import { Lock } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type SearchEngineKind,
  searchEngineKinds,
  searchEngineNames,
  type WebSearchAnswer,
} from "#contract/administration/web-search.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatus } from "../../forms/form-status.tsx";
import { useAction } from "../../forms/use-action.ts";
import webSearchTexts from "../../locales/en/webSearch.json";
import { registerTexts } from "../../locales/i18n.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Row, Section } from "../../page/section.tsx";
import { withProof } from "../../proof/proof.ts";
import { useResource } from "../../queries/use-resource.ts";
import { Button } from "../../ui/components/button.tsx";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { RadioChoices } from "../../ui/components/fields/radio-choices.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { Banner } from "../../ui/notifications/banner.tsx";
import { EngineForm } from "./engine-form.tsx";
import { engineName } from "./engine-name.ts";
import { SearchCheckResult } from "./search-check-result.tsx";
import { useSearchCheck } from "./use-search-check.ts";
import { webSearchApi } from "./web-search-api.ts";

registerTexts("webSearch", webSearchTexts);

/** The search engine of the installation, which an owner chooses, tests and removes. */
export function WebSearchPage() {
  const { t } = useTranslation("webSearch");
  const { value, error, reload, change } = useResource(webSearchApi.read);
  return (
    <>
      <p className="mt-2 text-pretty text-muted leading-text">{t("text")}</p>
      {error !== null && <LoadFailure error={error} onRetry={() => void reload()} className="mt-6" />}
      {value === null && error === null && <LinesLoading lines={4} />}
      {value?.isFixed && <FixedEngine webSearch={value} />}
      {value?.isFixed === false && <StoredEngine webSearch={value} onChange={change} />}
    </>
  );
}

/** The engine of the environment, which can only be tested. */
function FixedEngine({ webSearch: { engine } }: { webSearch: WebSearchAnswer }) {
  const { t } = useTranslation("webSearch");
  const { checked, check } = useSearchCheck();
  const { run, busy, failure } = useAction<"test">();
  const { kind = "", baseUrl = null } = engine ?? {};
  const variable = kind === "searxng" ? "SEARCH_URL" : "SEARCH_ENGINE";
  return (
    <Section title={t("engine")}>
      <Row
        title={engineName(kind)}
        text={
          <>
            {baseUrl !== null && (
              <span dir="ltr" className="block text-start rtl:text-end">
                {baseUrl}
              </span>
            )}
            <span className="mt-1 flex items-start gap-1.5">
              <Lock aria-hidden="true" className="mt-1 size-3.5 shrink-0" />
              <span className="min-w-0">{t("fixed", { variable })}</span>
            </span>
          </>
        }
      >
        <Button
          variant="secondary"
          busy={busy !== null}
          aria-disabled={busy !== null || undefined}
          onClick={() => void run("test", () => check(kind, null))}
        >
          {busy === null ? t("form.test") : t("form.testing")}
        </Button>
      </Row>
      {(failure !== null || checked !== null) && (
        <div className="px-4 pb-4 sm:px-5">
          <FailureBanner failure={failure} />
          {failure === null && <SearchCheckResult checked={checked} />}
        </div>
      )}
    </Section>
  );
}

type StoredEngineProps = { webSearch: WebSearchAnswer; onChange: (webSearch: WebSearchAnswer) => void };

function StoredEngine({ webSearch, onChange }: StoredEngineProps) {
  const { t } = useTranslation("webSearch");
  const { engine } = webSearch;
  const [kind, setKind] = useState<SearchEngineKind>(
    searchEngineKinds.find((each) => each === engine?.kind) ?? "searxng",
  );
  const [isRemoved, setRemoved] = useState(false);
  const [removals, setRemovals] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const choices = searchEngineKinds.map((value) => ({
    value,
    title: searchEngineNames[value],
    text: t(`engines.${value}`),
  }));
  const onSaved = (saved: WebSearchAnswer) => {
    setRemoved(false);
    onChange(saved);
  };
  const onRemoved = () => {
    setRemoved(true);
    setRemovals(removals + 1);
    onChange({ ...webSearch, engine: null });
    heading.current?.focus();
  };
  return (
    <>
      {engine === null && <EmptyState title={t("empty")} text={t("emptyText")} className="mt-8" />}
      {engine?.isUnreadable && <Banner className="mt-6">{t("unreadable")}</Banner>}
      <div className={isRemoved ? "mt-6" : "sr-only"}>
        <FormStatus text={isRemoved ? t("remove.done") : null} />
      </div>
      <Section
        title={t("engine")}
        text={engine && !engine.isUnreadable ? t("current", { name: engineName(engine.kind) }) : undefined}
        headingRef={heading}
        action={engine !== null && <RemoveButton name={engineName(engine.kind)} onRemoved={onRemoved} />}
      >
        <div className="flex flex-col gap-5 p-4 sm:p-5">
          <RadioChoices label={t("choose")} choices={choices} value={kind} onChange={setKind} />
          <EngineForm
            // A removed engine leaves no value in the fields.
            key={`${kind} ${removals}`}
            webSearch={webSearch}
            kind={kind}
            onSaved={onSaved}
          />
        </div>
      </Section>
    </>
  );
}

function RemoveButton({ name, onRemoved }: { name: string; onRemoved: () => void }) {
  const { t } = useTranslation("webSearch");
  const [isAsking, setAsking] = useState(false);
  const { run, busy, failure } = useAction<"remove">();
  const remove = () =>
    run("remove", async () => {
      await withProof(() => webSearchApi.remove());
      onRemoved();
    });
  return (
    <div className="flex flex-col items-end gap-2">
      <Button
        variant="dangerous"
        size="small"
        busy={busy !== null}
        aria-disabled={busy !== null || undefined}
        onClick={() => setAsking(true)}
      >
        {t("remove.open")}
      </Button>
      <FailureBanner failure={failure} />
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={t("remove.title", { name })}
        description={t("remove.text")}
        confirmLabel={t("remove.open")}
        onConfirm={() => {
          setAsking(false);
          void remove();
        }}
      />
    </div>
  );
}
