import { reservedProviderSlugs } from "./identity-providers.ts";

/** Leaves room for a number below the longest slug. */
const SLUG_MAX = 36;
/** Slug of a provider whose name has neither Latin letters nor digits. */
const FALLBACK = "sso";

/**
 * Returns the slug that a new provider gets, made of its name; the browser shows the provider's addresses by it before.
 * @param others slugs of the present providers
 */
export function chooseProviderSlug(name: string, others: readonly string[]): string {
  const taken = new Set<string>([...reservedProviderSlugs, ...others]);
  const latin = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const trimmed = latin
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+/g, "")
    .slice(0, SLUG_MAX)
    .replaceAll(/-+$/g, "");
  const wanted = trimmed === "" ? FALLBACK : trimmed;
  for (let number = 1; ; number++) {
    const slug = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(slug)) return slug;
  }
}
