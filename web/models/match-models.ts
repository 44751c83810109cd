/** The voicing marks of Japanese make another letter. */
const ACCENTS = /(?![\u3099\u309a])\p{M}/gu;

/** Removes accents, case, and differences of width. For short texts only: the server bounds the names. */
const fold = (text: string) => text.normalize("NFKD").replace(ACCENTS, "").toLowerCase();

/**
 * Returns a predicate for models: whether each word of the query is part of the model's name, its value, or the name
 * of its connection, in any order. An empty query matches all models.
 */
export function modelMatcher(query: string) {
  const words = fold(query).split(/\s+/);
  return ({ label, value }: { label: string; value: string }, connection: string): boolean => {
    const text = fold(`${connection}\n${label}\n${value}`);
    return words.every((word) => text.includes(word));
  };
}
