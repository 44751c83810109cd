import { useState } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { ownAddressProblem } from "#contract/mcp/own-server-address.ts";
import {
  newOwnServerSchema,
  type OwnServerChange,
  type PersonalServer,
  SERVER_NAME_MAX,
} from "#contract/mcp/own-servers.ts";
import { rule } from "#contract/text/validation.ts";
import { changedFields, isUnchanged } from "../../forms/changed-fields.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { failureText } from "../../forms/failure-text.ts";
import { FormFooter } from "../../forms/form-footer.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { personalServersApi } from "./personal-servers-query.ts";

const EXAMPLE_ADDRESS = "https://mcp.example.org/mcp";

const { name, url } = newOwnServerSchema.shape;
const problemOf = (entered: string) => ownAddressProblem(entered.trim(), URL.parse(entered.trim()));
const isAddress = (entered: string) => problemOf(entered) === undefined;
const schema = z.object({
  name,
  // Absent for a server that is off, which can be renamed only.
  url: z.optional(url.check(z.refine(isAddress, { error: rule("invalid") }))),
});

type PersonalServerFormProps = {
  /** Null: a new one. */
  server: PersonalServer | null;
  /** `isMoved`: it has another address. */
  onSaved: (server: PersonalServer, isMoved: boolean) => void;
  onCancel: () => void;
};

/** Form of a new server, or of a stored one, whose first field takes the focus. */
export function PersonalServerForm({ server: current, onSaved, onCancel }: PersonalServerFormProps) {
  const { t } = useTranslation("ownServers");
  // Only what differs from the server as it was when the form opened is sent.
  const [server] = useState(current);
  const [address, setAddress] = useState(server?.url ?? "");
  const form = useCheckedForm({
    schema,
    labels: { name: t("fields.name"), url: t("fields.url") },
    textOf: failureText,
    isFocused: true,
    send: async ({ name, url = server?.url ?? "" }) => {
      if (server === null) {
        onSaved(await personalServersApi.add({ name, url }), true);
        return null;
      }
      const change = changedFields<OwnServerChange>({ name: server.name, url: server.url ?? "" }, { name, url });
      const saved = isUnchanged(change) ? server : await personalServersApi.change(server.id, change);
      onSaved(saved, "url" in change);
      return null;
    },
  });
  const refused = form.fieldProps("url").error;
  const problem = problemOf(address);
  const urlError = refused !== undefined && address.trim() !== "" && problem ? t(`address.${problem}`) : refused;
  const isMoved = server !== null && address.trim() !== server.url;
  return (
    <form {...form.formProps} className="flex flex-col gap-4">
      <FailureBanner failure={form.failure} />
      <Field
        label={t("form.name")}
        hint={t("form.nameHint")}
        maxLength={SERVER_NAME_MAX}
        autoComplete="off"
        defaultValue={server?.name}
        {...form.fieldProps("name")}
      />
      {server?.isOn !== false && (
        <Field
          label={t("form.url")}
          hint={t("form.urlHint")}
          warning={isMoved && isAddress(address) ? t("form.movedHint") : null}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          placeholder={EXAMPLE_ADDRESS}
          value={address}
          onChange={({ target }) => setAddress(target.value)}
          {...form.fieldProps("url")}
          error={urlError}
        />
      )}
      <FormFooter
        form={{ ...form, spoken: urlError !== refused ? "" : form.spoken }}
        submit={server ? t("form.save") : t("add.submit")}
        submitting={server ? t("form.saving") : t("add.submitting")}
      >
        <Button variant="quiet" onClick={onCancel}>
          {t("form.cancel")}
        </Button>
      </FormFooter>
    </form>
  );
}
