import { useState } from "react";
import { useTranslation } from "react-i18next";
import type {
  AdministeredMcpServer,
  AdministeredMcpServers,
  McpServerChange,
  McpServerCheck,
  SavedMcpServer,
} from "#contract/administration/mcp-servers.ts";
import { changedFields } from "../../forms/changed-fields.ts";
import { useAction } from "../../forms/use-action.ts";
import { useReveal } from "../../forms/use-reveal.ts";
import { useFocusRendered } from "../../page/use-focus-rendered.ts";
import { withProof } from "../../proof/proof.ts";
import { toolServersApi } from "./tool-servers-api.ts";

/** What is open below a server. */
export type OpenedToolServer = { slug: string; view: "edit" | "tools" };

type ChangesDeps = {
  list: AdministeredMcpServers;
  onChange: (list: AdministeredMcpServers) => void;
  /** Replaces the sentence about the last change; null removes it. */
  onConfirm: (sentence: string | null) => void;
  /** Shows what a server answered when it was saved. */
  onChecked: (slug: string, check: McpServerCheck | null) => void;
  onRemoved: () => void;
};

/** Changes servers by buttons. `asked`: the server whose removal waits for a confirmation. */
function useServerChanges({ list, onChange, onConfirm, onChecked, onRemoved }: ChangesDeps) {
  const { t } = useTranslation("mcpServers");
  const [asked, setAsked] = useState<AdministeredMcpServer | null>(null);
  const { run, busy, failure } = useAction<string>();
  const { servers } = list;
  const replace = (server: AdministeredMcpServer) => {
    const isNew = servers.every(({ slug }) => slug !== server.slug);
    const others = servers.map((each) => (each.slug === server.slug ? server : each));
    onChange({ ...list, servers: isNew ? [...others, server] : others });
  };
  const apply = ({ server, check }: SavedMcpServer) => {
    replace(server);
    onChecked(server.slug, check);
  };
  const act = (name: string, work: () => Promise<void>) =>
    void run(name, async () => {
      onConfirm(null);
      await work();
    });
  const enable = ({ slug, name, isEnabled: before }: AdministeredMcpServer, isEnabled: boolean) =>
    act(`enable ${slug}`, async () => {
      const change = changedFields<McpServerChange>({ isEnabled: before }, { isEnabled });
      apply(await withProof(() => toolServersApi.change(slug, change)));
      onConfirm(t(isEnabled ? "enabled" : "disabled", { name }));
    });
  const remove = ({ slug, name }: AdministeredMcpServer) =>
    act(`remove ${slug}`, async () => {
      await withProof(() => toolServersApi.remove(slug));
      onChange({ ...list, servers: servers.filter((each) => each.slug !== slug) });
      onConfirm(t("remove.done", { name }));
      onRemoved();
    });
  const removal = { asked, ask: setAsked, cancel: () => setAsked(null), remove };
  return { replace, apply, enable, removal, busy, failure };
}

/** State and actions of the list of servers. One form is open at a time. `busy`: name of the running action with the slug. */
export function useToolServerList(list: AdministeredMcpServers, onChange: (list: AdministeredMcpServers) => void) {
  const { t } = useTranslation("mcpServers");
  const form = useReveal();
  const [opened, setOpened] = useState<OpenedToolServer | null>(null);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const [checks, setChecks] = useState<Readonly<Record<string, McpServerCheck | null>>>({});
  const focusRendered = useFocusRendered();
  const changes = useServerChanges({
    list,
    onChange,
    onConfirm: setConfirmation,
    onChecked: (slug, check) => setChecks((before) => ({ ...before, [slug]: check })),
    onRemoved: () => form.trigger.current?.focus(),
  });
  const openForm = () => {
    setConfirmation(null);
    setOpened(null);
    form.open();
  };
  const open = (next: OpenedToolServer | null) => {
    setConfirmation(null);
    form.close();
    if (next === null && opened) focusRendered(opened.slug);
    setOpened(next);
  };
  const finish = (saved: SavedMcpServer, sentence: string, next: OpenedToolServer["view"] | null) => {
    changes.apply(saved);
    form.close();
    const { slug } = saved.server;
    setConfirmation(sentence);
    setOpened(next && { slug, view: next });
    focusRendered(slug);
  };
  const onAdded = (saved: SavedMcpServer) =>
    finish(saved, t("add.done", { name: saved.server.name }), saved.check?.ok ? "tools" : null);
  const onSaved = (saved: SavedMcpServer) => finish(saved, t("form.saved", { name: saved.server.name }), null);
  const onToolsSaved = (saved: SavedMcpServer) => finish(saved, t("tools.saved", { name: saved.server.name }), null);
  return { ...changes, form, openForm, opened, open, checks, onAdded, onSaved, onToolsSaved, confirmation };
}

export type ToolServerActions = ReturnType<typeof useToolServerList>;
