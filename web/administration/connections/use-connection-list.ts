import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Connection, ConnectionList } from "#contract/administration/connections.ts";
import { useReveal } from "../../forms/use-reveal.ts";
import { useFocusRendered } from "../../page/use-focus-rendered.ts";
import { useConnectionChanges } from "./use-connection-changes.ts";

/** The connections with their forms and actions. */
export type ConnectionActions = ReturnType<typeof useConnectionList>;

/** What is open below a connection. */
export type Opened = { slug: string; view: "edit" | "models" };

/** State of the list of connections. One form is open at a time. `connected`: the connection that was just created. */
export function useConnectionList(list: ConnectionList, onChange: (list: ConnectionList) => void) {
  const { t } = useTranslation("connections");
  const form = useReveal();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [connected, setConnected] = useState<string | null>(null);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const focusRendered = useFocusRendered();
  const changes = useConnectionChanges({
    list,
    onChange,
    onConfirm: setConfirmation,
    onDeleted: () => form.trigger.current?.focus(),
  });

  const openForm = () => {
    setConfirmation(null);
    setOpened(null);
    setConnected(null);
    form.open();
  };
  const open = (next: Opened | null) => {
    setConfirmation(null);
    form.close();
    if (next === null && opened) focusRendered(opened.slug);
    setOpened(next);
  };
  const onConnected = (connection: Connection) => {
    changes.replace(connection);
    form.close();
    setConnected(connection.slug);
  };
  const closeResult = () => {
    if (connected !== null) focusRendered(connected);
    setConnected(null);
  };
  const onSaved = (connection: Connection) => {
    changes.replace(connection);
    setConfirmation(t("saved", { name: connection.name }));
    setOpened(null);
    focusRendered(connection.slug);
  };
  return { ...changes, form, openForm, opened, open, connected, onConnected, closeResult, onSaved, confirmation };
}
