import type { ConnectionSettingValues } from "#contract/administration/connections.ts";
import type { DiscoveredModel } from "./model-entry.ts";

/** Returns whether people can choose a model of a connection. */
export function isOffered(settings: ConnectionSettingValues | undefined, model: DiscoveredModel): boolean {
  const { name, facts, overrides, isListed = true } = model;
  const isChat = overrides?.isChat ?? facts.purpose === undefined;
  if (!isChat) return false;
  switch (settings?.offer ?? "all") {
    case "all":
      return true;
    case "chosen":
      return model.isOffered ?? !isListed;
    case "pattern":
      return matchesPattern(settings?.pattern ?? "", name);
  }
}

/** Returns whether a name matches one of several patterns, in which `*` stands for any text; in any case. */
export function matchesPattern(patterns: string, name: string): boolean {
  return patterns
    .split(/[\s,]+/)
    .filter((pattern) => pattern !== "")
    .some((pattern) => matches(pattern.toLowerCase(), name.toLowerCase()));
}

/** Greedy, without backtracking beyond the last `*`: linear in the number of pieces times the length of the name. */
function matches(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false;
  let at = first.length;
  const end = name.length - last.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
