/** Leaves room for a number below the longest slug. */
const SLUG_MAX = 36;

/**
 * `taken`: slugs that others have, or that are reserved. `fallback`: slug of a name without Latin letters and digits.
 * `isAllowed`: absent: every slug is; one that is not begins with the fallback.
 */
type SlugRules = { taken: Iterable<string>; fallback: string; isAllowed?: (slug: string) => boolean };

/** Returns a slug of small Latin letters, digits and hyphens, made of a name. */
export function chooseSlug(name: string, { taken, fallback, isAllowed = () => true }: SlugRules): string {
  const others = new Set(taken);
  const latin = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const trimmed = trim(latin.replaceAll(/[^a-z0-9]+/g, "-"));
  const named = trimmed === "" ? fallback : trimmed;
  const wanted = isAllowed(named) ? named : trim(`${fallback}-${named}`);
  for (let number = 1; ; number++) {
    const slug = number === 1 ? wanted : `${wanted}-${number}`;
    if (!others.has(slug)) return slug;
  }
}

/** Returns a slug without hyphens at its ends, up to the longest. */
const trim = (slug: string) => slug.replaceAll(/^-+/g, "").slice(0, SLUG_MAX).replaceAll(/-+$/g, "");
