/** Words for the state of a connection. */

import { type Connection, type FixedSlug, fixedSlugs } from "#contract/administration/connections.ts";
import { connectionFaults, type ProviderCheck } from "#contract/administration/provider-check.ts";

const providerIds: Record<FixedSlug, string> = { GPT: "openai", CLAUDE: "anthropic", LOCAL: "local" };
const variables: Record<FixedSlug, string> = {
  GPT: "OPENAI_API_KEY",
  CLAUDE: "ANTHROPIC_API_KEY",
  LOCAL: "LOCAL_BASE_URL",
};
const fixedSlugOf = ({ slug, isFixed }: Pick<Connection, "slug" | "isFixed">): FixedSlug | undefined =>
  isFixed ? fixedSlugs.find((each) => each === slug) : undefined;

/** Returns the id of a connection in tests and in the health of the overview. */
export function providerIdOf(connection: Pick<Connection, "slug" | "isFixed">): string {
  const fixed = fixedSlugOf(connection);
  return fixed === undefined ? connection.slug : providerIds[fixed];
}

/** State of a connection, for which there is one word. */
export type ConnectionState = "there" | "unreachable" | "key" | "failed" | "disabled" | "unreadable";

/** Returns the state by the newest fact: the result of a test, else the last request of the list; null: none is known. */
export function connectionStateOf(
  { isEnabled, isUnreadable, list }: Pick<Connection, "isEnabled" | "isUnreadable" | "list">,
  test: ProviderCheck | null,
): ConnectionState | null {
  if (isUnreadable) return "unreadable";
  if (!isEnabled) return "disabled";
  if (test) return test.ok ? "there" : refusedState(test.reason);
  if (list.state === "away") return refusedState(list.reason);
  return list.state === "there" ? "there" : null;
}

/** A server that refuses the key can be reached. */
function refusedState(reason: string | undefined): ConnectionState {
  if (reason === "key") return "key";
  const isUnreachable = reason === "unreachable" || connectionFaults.some((fault) => fault === reason);
  return isUnreachable ? "unreachable" : "failed";
}

/** Whether a connection has a list of models of its own; those of the other two are in the built-in list. */
export const hasModels = ({ slug, isFixed }: Pick<Connection, "slug" | "isFixed">): boolean =>
  !isFixed || slug === "LOCAL";

/** Returns the variable of the environment that sets a connection; undefined for one that is stored. */
export function variableOf(connection: Pick<Connection, "slug" | "isFixed">): string | undefined {
  const fixed = fixedSlugOf(connection);
  return fixed && variables[fixed];
}

/** Returns the host and port of an address, for sentences; an address that cannot be parsed is returned as it is. */
export const hostOf = (baseUrl: string): string => URL.parse(baseUrl)?.host ?? baseUrl;

/** Returns a list with the entry at `from` moved to `to`; unchanged if either position is outside. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const entry = list[from];
  if (entry === undefined || to < 0 || to >= list.length) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, entry);
}
