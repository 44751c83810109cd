import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import {
  type NewSearchEngine,
  needsSearchKey,
  newSearchEngineSchema,
  type SearchEngineKind,
  type WebSearchAnswer,
} from "#contract/administration/web-search.ts";
import { rule } from "#contract/text/validation.ts";
import { failureText } from "../../forms/failure-text.ts";
import { refusedIssues } from "../../forms/field-errors.ts";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { withProof } from "../../proof/proof.ts";
import { engineName } from "./engine-name.ts";
import { useSearchCheck } from "./use-search-check.ts";
import { webSearchApi } from "./web-search-api.ts";

/** `keep`: the stored key stays. */
export type KeyChange = "keep" | "replace" | "remove";

const required = { error: rule("required") };
const text = () => z.string().check(z.overwrite((entered: string) => entered.trim()));
const isAddress = (entered: string) => entered === "" || /^https?:\/\//i.test(entered);

const schemaOf = (kind: SearchEngineKind, key: KeyChange) => {
  const baseUrl = text().check(z.refine(isAddress, { error: rule("invalid") }));
  const entersKey = needsSearchKey[kind] && key === "replace";
  return z.object({
    baseUrl: needsSearchKey[kind] ? z.optional(baseUrl) : baseUrl.check(z.minLength(1, required)),
    apiKey: entersKey ? text().check(z.minLength(1, required)) : z.optional(text()),
  });
};

type EngineFormDeps = {
  webSearch: WebSearchAnswer;
  kind: SearchEngineKind;
  onSaved: (webSearch: WebSearchAnswer) => void;
};

/** Form of an engine of one kind, which tests its values and saves them. */
export function useEngineForm({ webSearch, kind, onSaved }: EngineFormDeps) {
  const { t } = useTranslation("webSearch");
  const stored = webSearch.engine?.kind === kind ? webSearch.engine : null;
  const hasKey = stored?.hasKey === true && !stored.isUnreadable;
  const [key, setKey] = useState<KeyChange>(hasKey ? "keep" : "replace");
  const [running, setRunning] = useState<"test" | "save" | null>(null);
  const intent = useRef<"test" | "save">("save");
  const search = useSearchCheck();

  const send = async (engine: NewSearchEngine, action: "test" | "save") => {
    if (action === "test") {
      await search.check(kind, engine);
      return null;
    }
    const saved = await withProof(() => webSearchApi.set(engine));
    onSaved(saved);
    setKey(saved.engine?.hasKey ? "keep" : "replace");
    return t("form.saved", { name: engineName(kind) });
  };
  const form = useCheckedForm({
    schema: schemaOf(kind, key),
    labels: { baseUrl: t("fields.baseUrl"), apiKey: t("fields.apiKey") },
    textOf: failureText,
    send: async (entered) => {
      const action = intent.current;
      intent.current = "save";
      setRunning(action);
      try {
        return await send(engineOf(kind, entered, key), action);
      } catch (error) {
        // Another server: the form shows the field, which has the error.
        if (refusedIssues(error).some(({ field }) => field === "apiKey")) setKey("replace");
        throw error;
      } finally {
        setRunning(null);
      }
    },
  });
  const test = () => {
    intent.current = "test";
    form.formProps.ref.current?.requestSubmit();
    intent.current = "save";
  };
  return { kind, stored, hasKey, form, key: { state: key, change: setKey }, running, test, search };
}

type Entered = { baseUrl?: string | undefined; apiKey?: string | undefined };

function engineOf(kind: SearchEngineKind, { baseUrl, apiKey }: Entered, key: KeyChange): NewSearchEngine {
  const engine = { kind, baseUrl: baseUrl || null };
  return newSearchEngineSchema.parse(
    key === "keep" ? engine : { ...engine, apiKey: (key === "replace" && apiKey) || null },
  );
}

export type EngineFormState = ReturnType<typeof useEngineForm>;
