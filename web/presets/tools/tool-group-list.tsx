/** Groups of tools to choose from, those of servers with what they can do: in the panel of a chat and in a preset. */

import { useState } from "react";
import { useTranslation } from "react-i18next";
import { normalizeText } from "#contract/text/normalize-text.ts";
import toolServers from "../../locales/en/toolServers.json";
import { registerTexts } from "../../locales/i18n.ts";
import { cx } from "../../ui/components/cx.ts";
import { CheckField } from "../../ui/components/fields/check-field.tsx";
import { ServerChoice } from "./server-choice.tsx";
import type { ChosenTools } from "./tool-choice.ts";
import { toolGroupHint, toolGroupName } from "./tool-group-words.ts";

registerTexts("toolServers", toolServers);

/** Groups that are shown without a search field. */
const UNSEARCHED_MAX = 8;

const fold = (text: string) => normalizeText(text, "NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Texts of a group by which it is found. */
const wordsOf = ({ slug, server }: ChosenTools): string =>
  fold(
    [toolGroupName(slug), server?.host ?? "", ...(server?.tools ?? []).map(({ name, title }) => title ?? name)].join(
      " ",
    ),
  );

type GroupSearch = {
  /** Whether there are so many groups that they are searched. */
  isOffered: boolean;
  query: string;
  setQuery: (query: string) => void;
  found: readonly ChosenTools[];
};

/** The groups that were chosen when they were first shown are above the others where they are searched. */
export function useGroupSearch(groups: readonly ChosenTools[]): GroupSearch {
  const [query, setQuery] = useState("");
  const isOffered = groups.length > UNSEARCHED_MAX;
  const [first] = useState(() => groups.filter(({ isChosen }) => isChosen).map(({ slug }) => slug));
  if (!isOffered) return { isOffered, query, setQuery, found: groups };
  const words = fold(query.trim());
  const isFirst = ({ slug }: ChosenTools) => first.includes(slug);
  const sorted = groups.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)));
  return { isOffered, query, setQuery, found: sorted.filter((group) => wordsOf(group).includes(words)) };
}

export function GroupSearchField({ search, className }: { search: GroupSearch; className: string }) {
  const { t } = useTranslation("toolServers");
  return (
    <input
      type="search"
      dir="auto"
      aria-label={t("search")}
      placeholder={t("search")}
      className={className}
      value={search.query}
      onChange={(event) => search.setQuery(event.target.value)}
      // It does not submit the form around it.
      onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
    />
  );
}

type FoundGroupsProps = { search: GroupSearch; onSwitch: (slug: string) => void; className: string };

export function FoundGroups({ search: { found }, onSwitch, className }: FoundGroupsProps) {
  const { t } = useTranslation("toolServers");
  return (
    <>
      <div className={cx("divide-y divide-hairline", className)}>
        {found.map((group) => (
          <GroupChoice key={group.slug} group={group} onSwitch={() => onSwitch(group.slug)} />
        ))}
      </div>
      <p role="status" className="px-3 text-muted text-sm not-empty:py-3">
        {found.length === 0 && t("none")}
      </p>
    </>
  );
}

function GroupChoice({ group, onSwitch }: { group: ChosenTools; onSwitch: () => void }) {
  const { server } = group;
  if (server) return <ServerChoice group={{ ...group, server }} onSwitch={onSwitch} />;
  return (
    <div className="px-3 py-1.5">
      <CheckField
        label={toolGroupName(group.slug)}
        hint={toolGroupHint(group) ?? undefined}
        checked={group.isChosen}
        onChange={onSwitch}
      />
    </div>
  );
}
