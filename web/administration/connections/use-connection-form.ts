import { useState } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import type { HeaderProblem } from "#contract/administration/connection-headers.ts";
import {
  type Connection,
  type ConnectionChange,
  changeConnectionSchema,
  connectionKinds,
  connectionSettingsSchema,
  openAiApis,
} from "#contract/administration/connections.ts";
import { CONTEXT_TOKENS_MIN } from "#contract/models/model-facts.ts";
import { rule } from "#contract/text/validation.ts";
import { changedFields, isUnchanged } from "../../forms/changed-fields.ts";
import { failureText } from "../../forms/failure-text.ts";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { i18n } from "../../locales/i18n.ts";
import { withProof } from "../../proof/proof.ts";
import { connectionsApi } from "./connections-api.ts";
import { enteredHeaders } from "./entered-headers.ts";
import { enteredTokens } from "./entered-numbers.ts";
import { addressField } from "./use-new-connection.ts";

/** `keep`: the stored value stays. */
export type SecretChange = "keep" | "replace" | "remove";

const { pattern, offer } = connectionSettingsSchema.shape;
const text = () => z.string().check(z.overwrite((entered: string) => entered.trim()));
const { name } = changeConnectionSchema.shape;

const schemaOf = (key: SecretChange) =>
  z.object({
    name,
    baseUrl: addressField.check(z.minLength(1, { error: rule("required") })),
    apiKey: key === "replace" ? text().check(z.minLength(1, { error: rule("required") })) : z.optional(z.string()),
    offer,
    pattern,
    api: z.string(),
    apiVersion: z.optional(
      text().check(z.refine((entered) => /^[\w.-]{0,40}$/.test(entered), { error: rule("invalid") })),
    ),
    unknownContextTokens: text().check(
      z.refine((entered) => enteredTokens(entered, CONTEXT_TOKENS_MIN) !== undefined, { error: rule("invalid") }),
    ),
    usesProxy: z.optional(z.literal("yes")),
    sendsPerson: z.optional(z.literal("yes")),
  });

/** Edits a stored connection, and sends the differences only: the values are those of when the form was opened. */
export function useConnectionForm(current: Connection, onSaved: (connection: Connection) => void) {
  const { t } = useTranslation("connections");
  const [connection] = useState(current);
  const { slug, settings } = connection;
  const [key, setKey] = useState<SecretChange>(connection.isUnreadable ? "replace" : "keep");
  const [headers, setHeaders] = useState<string | null>(null);
  const [headersError, setHeadersError] = useState<string | null>(null);
  const form = useCheckedForm({
    schema: schemaOf(key),
    labels: {
      name: t("fields.name"),
      baseUrl: t("fields.baseUrl"),
      apiKey: t("fields.apiKey"),
      pattern: t("fields.pattern"),
      apiVersion: t("fields.apiVersion"),
      unknownContextTokens: t("fields.unknownContextTokens"),
    },
    textOf: failureText,
    send: async (entered) => {
      const sendsPerson = entered.sendsPerson === "yes";
      const hasKey = key === "replace" || (key === "keep" && connection.keyEnd !== null);
      const list = headers === null ? null : enteredHeaders(headers, { kind: kindOf(connection), hasKey, sendsPerson });
      const problem = list && "problem" in list ? list.problem : null;
      setHeadersError(problem && headersSentence(problem));
      if (problem) return null;
      const changed = changedFields(settings, {
        ...settings,
        offer: entered.offer,
        pattern: entered.pattern,
        api: openAiApis.find((api) => api === entered.api) ?? null,
        apiVersion: entered.apiVersion || null,
        unknownContextTokens: enteredTokens(entered.unknownContextTokens, CONTEXT_TOKENS_MIN) ?? null,
        usesProxy: entered.usesProxy === "yes",
        sendsPerson,
      });
      const { name: initialName, baseUrl } = connection;
      const change = changedFields<ConnectionChange>(
        { name: initialName, baseUrl },
        {
          name: entered.name,
          baseUrl: entered.baseUrl,
          ...(!isUnchanged(changed) && { settings: changed }),
          ...(key === "replace" && entered.apiKey !== undefined && { apiKey: entered.apiKey }),
          ...(key === "remove" && { apiKey: null }),
          ...(list && "headers" in list && { headers: list.headers }),
        },
      );
      onSaved(isUnchanged(change) ? connection : await withProof(() => connectionsApi.change(slug, change)));
      return null;
    },
  });
  const enterHeaders = (entered: string | null) => {
    setHeaders(entered);
    setHeadersError(null);
  };
  return {
    connection,
    form,
    key: { state: key, change: setKey },
    headers: { text: headers, enter: enterHeaders, error: headersError },
  };
}

/** The API of a connection; a newer server may have others, whose keys are bearer tokens too. */
const kindOf = ({ kind }: Connection) => connectionKinds.find((each) => each === kind) ?? "openai";

function headersSentence(problem: HeaderProblem | "invalid"): string {
  const t = i18n.getFixedT(null, "connections");
  return problem === "invalid" ? t("headers.invalid") : t(`headers.${problem.rule}`, { header: problem.name });
}

export type ConnectionFormState = ReturnType<typeof useConnectionForm>;
