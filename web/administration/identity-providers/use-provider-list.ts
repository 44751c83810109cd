import { useState } from "react";
import { useTranslation } from "react-i18next";
import type {
  AdministeredProvider,
  AdministeredProviders,
  IdentityProviderChange,
} from "#contract/administration/identity-providers.ts";
import { changedFields } from "../../forms/changed-fields.ts";
import { useAction } from "../../forms/use-action.ts";
import { useReveal } from "../../forms/use-reveal.ts";
import { useFocusRendered } from "../../page/use-focus-rendered.ts";
import { withProof } from "../../proof/proof.ts";
import { moved } from "../connections/connection-words.ts";
import { identityProvidersApi } from "./identity-providers-api.ts";

/** What is open below a provider. */
export type OpenedProvider = { slug: string; view: "edit" | "addresses" };

type ChangesDeps = {
  list: AdministeredProviders;
  onChange: (list: AdministeredProviders) => void;
  /** Replaces the sentence about the last change; null removes it. */
  onConfirm: (sentence: string | null) => void;
  onRemoved: () => void;
};

/** Changes providers by buttons. `asked`: the provider whose removal waits for a confirmation. */
function useProviderChanges({ list, onChange, onConfirm, onRemoved }: ChangesDeps) {
  const { t } = useTranslation("identityProviders");
  const [asked, setAsked] = useState<AdministeredProvider | null>(null);
  const { run, busy, failure } = useAction<string>();
  const { providers } = list;
  const replace = (provider: AdministeredProvider) => {
    const isNew = providers.every(({ slug }) => slug !== provider.slug);
    const others = providers.map((each) => (each.slug === provider.slug ? provider : each));
    onChange({ ...list, providers: isNew ? [...others, provider] : others });
  };
  const act = (name: string, work: () => Promise<void>) =>
    void run(name, async () => {
      onConfirm(null);
      await work();
    });
  const enable = ({ slug, isEnabled: before }: AdministeredProvider, isEnabled: boolean) =>
    act(`enable ${slug}`, async () => {
      const change = changedFields<IdentityProviderChange>({ isEnabled: before }, { isEnabled });
      replace(await withProof(() => identityProvidersApi.change(slug, change)));
    });
  /** Positions are those among the stored providers. */
  const move = (from: number, to: number) =>
    act("order", async () => {
      const fixed = providers.filter(({ isFixed }) => isFixed);
      const stored = providers.filter(({ isFixed }) => !isFixed);
      const ordered = moved(stored, from, to);
      await withProof(() => identityProvidersApi.order(ordered.map(({ slug }) => slug)));
      onChange({ ...list, providers: [...fixed, ...ordered] });
      onConfirm(t("moved", { name: ordered[to]?.name ?? "", position: to + 1, count: ordered.length }));
    });
  const remove = ({ slug, name }: AdministeredProvider) =>
    act(`remove ${slug}`, async () => {
      await withProof(() => identityProvidersApi.remove(slug));
      onChange({ ...list, providers: providers.filter((each) => each.slug !== slug) });
      onConfirm(t("remove.done", { name }));
      onRemoved();
    });
  const removal = { asked, ask: setAsked, cancel: () => setAsked(null), remove };
  return { replace, enable, move, removal, busy, failure };
}

/**
 * State and actions of the list of providers. One form is open at a time. `busy`: name of the running action with the
 * slug.
 */
export function useProviderList(list: AdministeredProviders, onChange: (list: AdministeredProviders) => void) {
  const { t } = useTranslation("identityProviders");
  const form = useReveal();
  const [opened, setOpened] = useState<OpenedProvider | null>(null);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const focusRendered = useFocusRendered();
  const changes = useProviderChanges({
    list,
    onChange,
    onConfirm: setConfirmation,
    onRemoved: () => form.trigger.current?.focus(),
  });
  const openForm = () => {
    setConfirmation(null);
    setOpened(null);
    form.open();
  };
  const open = (next: OpenedProvider | null) => {
    setConfirmation(null);
    form.close();
    if (next === null && opened) focusRendered(opened.slug);
    setOpened(next);
  };
  const onAdded = (provider: AdministeredProvider) => {
    changes.replace(provider);
    form.close();
    setConfirmation(t("add.done", { name: provider.name }));
    setOpened({ slug: provider.slug, view: "addresses" });
    focusRendered(provider.slug);
  };
  const onSaved = (provider: AdministeredProvider) => {
    changes.replace(provider);
    setConfirmation(t("form.saved", { name: provider.name }));
    setOpened(null);
    focusRendered(provider.slug);
  };
  return { ...changes, form, openForm, opened, open, onAdded, onSaved, confirmation };
}

export type ProviderActions = ReturnType<typeof useProviderList>;
