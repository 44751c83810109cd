import { useState } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import {
  type AdministeredMcpServer,
  type McpHeader,
  type McpHeaderProblem,
  type McpServerChange,
  type NewMcpServer,
  newMcpServerSchema,
  type SavedMcpServer,
} from "#contract/administration/mcp-servers.ts";
import { rule } from "#contract/text/validation.ts";
import { changedFields, isUnchanged } from "../../forms/changed-fields.ts";
import { failureText } from "../../forms/failure-text.ts";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { withProof } from "../../proof/proof.ts";
import { enteredServerHeaders } from "./entered-server-headers.ts";
import { toolServersApi } from "./tool-servers-api.ts";
import { useServerCheck } from "./use-server-check.ts";

const { name, url } = newMcpServerSchema.shape;
const isAddress = (entered: string) => /^https?:\/\/[^/]/i.test(entered) && URL.canParse(entered);

const schema = z.object({
  name,
  url: url.check(z.refine(isAddress, { error: rule("invalid") })),
  // Shows the server's refusal of groups.
  groups: z.optional(z.string()),
  isTrusted: z.optional(z.literal("yes")),
});

/** `keep`: the stored headers stay. */
export type HeadersChange = "keep" | "replace" | "remove";

type ToolServerFormDeps = {
  /** Null: a new one. */
  server: AdministeredMcpServer | null;
  onSaved: (saved: SavedMcpServer) => void;
};

/** Form of a server. Of a stored one it sends the differences only: the values are those of when it was opened. */
export function useToolServerForm({ server: current, onSaved }: ToolServerFormDeps) {
  const { t } = useTranslation("mcpServers");
  const [server] = useState(current);
  const [address, setAddress] = useState(server?.url ?? "");
  const headers = useHeaders(server);
  const groups = useChosenGroups(server);
  const check = useServerCheck();
  const form = useCheckedForm({
    schema,
    labels: { name: t("fields.name"), url: t("fields.url"), groups: t("fields.groups") },
    textOf: failureText,
    send: async (entered) => {
      const changed = headers.read(entered.url);
      const hasGroups = groups.validate();
      if (changed === null || !hasGroups) return null;
      const values = {
        name: entered.name,
        url: entered.url,
        groups: groups.chosen === null ? null : [...groups.chosen],
        isTrusted: entered.isTrusted === "yes",
      };
      onSaved(await save(server, { ...values, ...changed }));
      return null;
    },
  });
  const test = () => {
    const changed = headers.read(address.trim());
    if (changed === null) return;
    check.check({ url: address.trim(), ...changed, ...(server && { slug: server.slug }) });
  };
  const enterAddress = (entered: string) => {
    setAddress(entered);
    check.forget();
  };
  return { server, form, address: { text: address, enter: enterAddress }, headers, groups, check, test };
}

export type ToolServerFormState = ReturnType<typeof useToolServerForm>;

/** Headers of the form: stored ones are never shown, so that all are replaced together. */
function useHeaders(server: AdministeredMcpServer | null) {
  const { t } = useTranslation("mcpServers");
  const stored = server?.headers ?? [];
  const hasStored = stored.length > 0;
  const [state, setState] = useState<HeadersChange>(server?.isUnreadable ? "replace" : "keep");
  const [text, setText] = useState("");
  const [error, setError] = useState<string | null>(null);
  const isMoved = (url: string) => {
    const origins = [URL.parse(url)?.origin, URL.parse(server?.url ?? "")?.origin];
    return origins[0] !== undefined && origins[0] !== origins[1];
  };
  const sentenceOf = (problem: McpHeaderProblem | "invalid") =>
    problem === "invalid" ? t("headers.invalid") : t(`headers.${problem.rule}`, { header: problem.name });
  /** Returns the headers to send for an address; none: they stay. Null if the form shows why they cannot be sent. */
  const read = (url: string): { headers?: McpHeader[] } | null => {
    if (state === "keep" && hasStored && isMoved(url)) {
      setState("replace");
      setError(t("headers.moved"));
      return null;
    }
    if (state === "keep") return {};
    const entered = state === "remove" ? { headers: [] } : enteredServerHeaders(text);
    const problem = "problem" in entered ? entered.problem : null;
    setError(problem && sentenceOf(problem));
    return "headers" in entered ? { headers: entered.headers } : null;
  };
  const change = (next: HeadersChange) => {
    setState(next);
    setError(null);
  };
  const enter = (entered: string) => {
    setText(entered);
    setError(null);
  };
  return { stored, state, text, error, change, enter, read, isUnreadable: server?.isUnreadable === true };
}

/** Groups of the form. `chosen`: null: everybody. */
function useChosenGroups(server: AdministeredMcpServer | null) {
  const initial = server?.groups?.flatMap(({ id }) => (id === undefined ? [] : [id])) ?? null;
  const [chosen, setChosen] = useState<readonly string[] | null>(initial);
  // The choice of some groups survives the other choice.
  const [last, setLast] = useState<readonly string[]>(initial ?? []);
  const [isMissing, setMissing] = useState(false);
  const change = (next: readonly string[]) => {
    setLast(next);
    setChosen(next);
    setMissing(false);
  };
  const validate = () => {
    const isEmpty = chosen !== null && chosen.length === 0;
    setMissing(isEmpty);
    return !isEmpty;
  };
  return { chosen, isMissing, change, chooseAll: (isAll: boolean) => setChosen(isAll ? null : last), validate };
}

type Values = Required<Pick<NewMcpServer, "name" | "url" | "groups" | "isTrusted">> & Pick<NewMcpServer, "headers">;

async function save(server: AdministeredMcpServer | null, values: Values): Promise<SavedMcpServer> {
  if (server === null) return withProof(() => toolServersApi.add(values));
  const { url: initial, groups } = server;
  const change = changedFields<McpServerChange>(
    {
      name: server.name,
      url: initial ?? "",
      groups: groups?.flatMap(({ id }) => (id === undefined ? [] : [id])) ?? null,
      isTrusted: server.isTrusted,
    },
    values,
  );
  return isUnchanged(change) ? { server, check: null } : withProof(() => toolServersApi.change(server.slug, change));
}
