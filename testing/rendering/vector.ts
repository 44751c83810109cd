/**
 * Texts that try to run, load, submit or mislead, written for this project. Placeholders: `HIT` is a call that reports
 * its execution, `LEAK` a URL on a unique host (without scheme), and `⟦b64:…⟧`, `⟦dec:…⟧`, `⟦hex:…⟧`, `⟦pct:…⟧`,
 * `⟦wide:…⟧`, `⟦u:…⟧` are encoded texts.
 */
export type VectorGroup = {
  name: string;
  /** `html`: also within a reply that is HTML. `text`: unchanged only. */
  form: "html" | "text";
  vectors: readonly string[];
};

/** A text with the id that identifies its effects. */
export type Vector = { id: string; text: string; group: string };

const written: Record<string, (text: string) => string> = {
  b64: (text) => btoa(text),
  dec: (text) => Array.from(text, (character) => `&#${character.codePointAt(0)};`).join(""),
  hex: (text) => Array.from(text, (character) => `&#x${character.codePointAt(0)?.toString(16)};`).join(""),
  pct: (text) => Array.from(text, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`).join(""),
  wide: (text) =>
    Array.from(text, (character) =>
      /[!-~]/.test(character) ? String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0) : character,
    ).join(""),
  u: (text) => Array.from(text, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
};

/** Each leak has a unique host, so that even a DNS lookup identifies it. */
export const leakHost = (id: string) => `${id}.leak.example`;

function fill(template: string, id: string): string {
  return template
    .replaceAll("HIT", `hit('${id}')`)
    .replaceAll("LEAK", `//${leakHost(id)}/x`)
    .replaceAll(/⟦(\w+):([\s\S]*?)⟧/g, (all, how: string, text: string) => written[how]?.(text) ?? all);
}

/** Returns the vectors of a group. Ids are its name and the index: `urls-12`, and `urls-12h` within HTML. */
export function vectorsOf({ name, form, vectors }: VectorGroup): Vector[] {
  return vectors.flatMap((template, index) => {
    const id = `${name}-${index + 1}`;
    const alone = { id, text: fill(template, id), group: name };
    if (form === "text") return [alone];
    return [alone, { id: `${id}h`, text: `<div>before ${fill(template, `${id}h`)}</div>`, group: name }];
  });
}

/** Closes most constructs that a text may have left open, so that the next one in the reply is parsed separately. */
export const CLOSERS = `'">-->]]></script></style></textarea></title></xmp></noscript></template></select></option></iframe></noembed></noframes></svg></math></object></video></form></button></details></a>`;
