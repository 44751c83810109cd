import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { ADDRESS_BLANK, type ConnectionTemplate } from "#contract/administration/connection-templates.ts";
import { type Connection, newConnectionSchema } from "#contract/administration/connections.ts";
import { rule } from "#contract/text/validation.ts";
import { failureText } from "../../forms/failure-text.ts";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { withProof } from "../../proof/proof.ts";
import { connectionsApi } from "./connections-api.ts";

const { name, baseUrl } = newConnectionSchema.shape;
const trimmed = () => z.string().check(z.overwrite((text) => text.trim()));

/** A complete address: the blank of a template must be replaced. */
export const addressField = z
  .string()
  .check(
    z.overwrite((text) => text.trim()),
    z.refine((text) => !text.includes(ADDRESS_BLANK), { error: rule("invalid") }),
  )
  .check(z.refine((text) => text === "" || URL.canParse(text), { error: rule("invalid") }));

const schemaOf = (template: ConnectionTemplate) =>
  z.object({
    name,
    baseUrl: z.pipe(addressField, baseUrl),
    apiKey: template.key === "required" ? trimmed().check(z.minLength(1, { error: rule("required") })) : trimmed(),
  });

/** Form of a new connection. @param onConnected called with the connection, whose list of models was requested */
export function useNewConnection(template: ConnectionTemplate, onConnected: (connection: Connection) => void) {
  const { t } = useTranslation("connections");
  return useCheckedForm({
    schema: schemaOf(template),
    labels: { name: t("fields.name"), baseUrl: t("fields.baseUrl"), apiKey: t("fields.apiKey") },
    textOf: failureText,
    send: async ({ apiKey, ...entered }) => {
      const connection = { ...entered, kind: template.kind, apiKey: apiKey === "" ? null : apiKey };
      onConnected(await withProof(() => connectionsApi.create(connection)));
      return null;
    },
  });
}
