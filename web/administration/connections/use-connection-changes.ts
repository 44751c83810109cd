import { useState } from "react";
import { useTranslation } from "react-i18next";
import type {
  Connection,
  ConnectionChange,
  ConnectionList,
  ConnectionUses,
} from "#contract/administration/connections.ts";
import { changedFields } from "../../forms/changed-fields.ts";
import { useAction } from "../../forms/use-action.ts";
import { withProof } from "../../proof/proof.ts";
import { moved } from "./connection-words.ts";
import { connectionsApi } from "./connections-api.ts";

type Deps = {
  list: ConnectionList;
  onChange: (list: ConnectionList) => void;
  /** Replaces the sentence about the last change; null removes it. */
  onConfirm: (sentence: string | null) => void;
  onDeleted: () => void;
};

/**
 * Changes connections by buttons. `asked`: the connection whose deletion waits for a confirmation, with what uses it.
 * `busy`: name of the running action with the slug.
 */
export function useConnectionChanges({ list, onChange, onConfirm, onDeleted }: Deps) {
  const { t } = useTranslation("connections");
  const [asked, setAsked] = useState<{ connection: Connection; uses: ConnectionUses } | null>(null);
  const { run, busy, failure } = useAction<string>();
  const { connections } = list;

  const replace = (connection: Connection) => {
    const isNew = connections.every(({ slug }) => slug !== connection.slug);
    const others = connections.map((each) => (each.slug === connection.slug ? connection : each));
    onChange({ ...list, connections: isNew ? [...others, connection] : others });
  };
  const act = (name: string, work: () => Promise<void>) =>
    void run(name, async () => {
      onConfirm(null);
      await work();
    });
  const enable = ({ slug, isEnabled: before }: Connection, isEnabled: boolean) =>
    act(`enable ${slug}`, async () => {
      const change = changedFields<ConnectionChange>({ isEnabled: before }, { isEnabled });
      replace(await withProof(() => connectionsApi.change(slug, change)));
    });
  const refresh = ({ slug }: Connection) =>
    act(`refresh ${slug}`, async () => replace(await withProof(() => connectionsApi.refresh(slug))));
  /** Positions are those among the stored connections. */
  const move = (from: number, to: number) =>
    act("order", async () => {
      const fixed = connections.filter(({ isFixed }) => isFixed);
      const stored = connections.filter(({ isFixed }) => !isFixed);
      const ordered = moved(stored, from, to);
      await withProof(() => connectionsApi.order(ordered.map(({ slug }) => slug)));
      onChange({ ...list, connections: [...fixed, ...ordered] });
      onConfirm(t("order.moved", { name: ordered[to]?.name ?? "", position: to + 1, count: ordered.length }));
    });
  const askToDelete = (connection: Connection) =>
    act(`ask ${connection.slug}`, async () => {
      setAsked({ connection, uses: await connectionsApi.readUses(connection.slug) });
    });
  const remove = ({ slug, name }: Connection) =>
    act(`delete ${slug}`, async () => {
      await withProof(() => connectionsApi.delete(slug));
      onChange({ ...list, connections: connections.filter((each) => each.slug !== slug) });
      onConfirm(t("deleted", { name }));
      onDeleted();
    });
  return { replace, enable, refresh, move, asked, askToDelete, keep: () => setAsked(null), remove, busy, failure };
}
