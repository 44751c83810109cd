import { type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PersonalServer } from "#contract/mcp/own-servers.ts";
import { useReveal } from "../../forms/use-reveal.ts";
import { useFocusRendered } from "../../page/use-focus-rendered.ts";
import { dropPersonalServer, storePersonalServer } from "./personal-servers-query.ts";

/** State of the list of servers. One form is open at a time. `heading`: takes the focus when a server is removed. */
export function usePersonalServerList(heading: RefObject<HTMLElement | null>) {
  const { t } = useTranslation("ownServers");
  const form = useReveal();
  const [edited, setEdited] = useState<string | null>(null);
  const [status, setStatus] = useState<string | null>(null);
  // The list of the server does not have them.
  const [reasons, setReasons] = useState<Readonly<Record<string, string | undefined>>>({});
  const focusRendered = useFocusRendered();

  const store = (server: PersonalServer) => {
    setReasons((before) => ({ ...before, [server.id]: server.reason }));
    storePersonalServer(server);
  };
  const resultOf = ({ name, state, tools, leftOut }: PersonalServer) =>
    state === "ready" ? t("result.ready", { name, count: tools.length + leftOut }) : t(`result.${state}`, { name });
  const openForm = () => {
    setStatus(null);
    setEdited(null);
    form.open();
  };
  const edit = (id: string | null) => {
    setStatus(null);
    form.close();
    if (id === null && edited !== null) focusRendered(edited);
    setEdited(id);
  };
  const finish = (server: PersonalServer, sentence: string) => {
    store(server);
    form.close();
    setEdited(null);
    setStatus(sentence);
    focusRendered(server.id);
  };
  const onAdded = (server: PersonalServer) =>
    finish(server, `${t("add.done", { name: server.name })} ${resultOf(server)}`);
  const onSaved = (server: PersonalServer, isMoved: boolean) =>
    finish(server, [t("saved", { name: server.name }), ...(isMoved ? [resultOf(server)] : [])].join(" "));
  const onRefreshed = (server: PersonalServer) => {
    store(server);
    setStatus(resultOf(server));
  };
  const onSignedOut = ({ signedInAt: _, issuer: __, ...server }: PersonalServer) => {
    store({ ...server, state: "connect", tools: [], leftOut: 0 });
    setStatus(t("signedOut", { name: server.name }));
  };
  const onUnlisted = () => heading.current?.focus();
  const onRemoved = ({ id, name }: PersonalServer) => {
    dropPersonalServer(id);
    setStatus(t("remove.done", { name }));
    onUnlisted();
  };
  const onBegin = () => setStatus(null);
  const listeners = { onBegin, onRefreshed, onSignedOut, onRemoved, onUnlisted };
  return { form, openForm, edited, edit, onAdded, onSaved, listeners, status, reasons };
}

export type PersonalServerList = ReturnType<typeof usePersonalServerList>;
