/**
 * Texts that try to run, load, submit or lead astray, written for this project. In them stand
 * `HIT` for a call that tells that it ran, `LEAK` for an address on a host of its own (without its scheme), and
 * `⟦b64:…⟧`, `⟦dec:…⟧`, `⟦hex:…⟧`, `⟦pct:…⟧`, `⟦wide:…⟧`, `⟦u:…⟧` for what is written in another way.
 */
export type VectorGroup = {
  name: string;
  /** `html` is also tried within a reply that is HTML; `text` as it is alone. */
  form: "html" | "text";
  vectors: readonly string[];
};

/** A text to be tried, with the id by which what it does is known. */
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

/** Each leak has a host of its own, so that a name that is only looked up tells whose it was. */
export const leakHost = (id: string) => `${id}.leak.example`;

function fill(template: string, id: string): string {
  return template
    .replaceAll("HIT", `hit('${id}')`)
    .replaceAll("LEAK", `//${leakHost(id)}/x`)
    .replaceAll(/⟦(\w+):([\s\S]*?)⟧/g, (all, how: string, text: string) => written[how]?.(text) ?? all);
}

/** Ids are the group's name and the place in it: `urls-12`, and `urls-12h` within HTML. */
export function vectorsOf({ name, form, vectors }: VectorGroup): Vector[] {
  return vectors.flatMap((template, index) => {
    const id = `${name}-${index + 1}`;
    const alone = { id, text: fill(template, id), group: name };
    if (form === "text") return [alone];
    return [alone, { id: `${id}h`, text: `<div>before ${fill(template, `${id}h`)}</div>`, group: name }];
  });
}

/** What ends most that a text may have left open, so that the next one in the same reply is read for itself. */
export const CLOSERS = `'">-->]]></script></style></textarea></title></xmp></noscript></template></select></option></iframe></noembed></noframes></svg></math></object></video></form></button></details></a>`;
