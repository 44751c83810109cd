/** Leaves room for a number below the longest slug. */
const SLUG_MAX = 36;
/** Slug of a provider whose name has neither Latin letters nor digits. */
const FALLBACK = "sso";

/** Returns a free slug made of a provider's name. */
export function chooseProviderSlug(name: string, taken: ReadonlySet<string>): string {
  const latin = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const trimmed = latin
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, SLUG_MAX)
    .replaceAll(/^-+|-+$/g, "");
  const wanted = trimmed === "" ? FALLBACK : trimmed;
  for (let number = 1; ; number++) {
    const slug = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(slug)) return slug;
  }
}
