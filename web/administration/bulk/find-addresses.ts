/** An address in a text, as it is written, and the name beside it, which may be empty. */
export type FoundAddress = { address: string; name: string; isInBrackets: boolean };

/** `Ada Lovelace <ada@example.org>`; anything may follow. */
const IN_BRACKETS = /^([^<]*)<([^<>]*@[^<>]*)>(.*)$/s;
/** Signs around an address and at the end of a sentence. */
const AROUND = /^(?:mailto:|[('"<[])+|[)'">\].,:;]+$/gi;
const QUOTES = /^["']+|["']+$/g;
/** In UTF-16 units. Longer cells are cut: the expressions take quadratic time on some. */
const CELL_MAX = 1000;
/** Zero-width and bidirectional signs, which programs add when a text is copied. */
const INVISIBLE = /[\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;

/** Finds the addresses in one cell of a list. A text with an at sign counts as one, also if it is not valid. */
export function findAddresses(cell: string): FoundAddress[] {
  const text = cell.slice(0, CELL_MAX).replace(INVISIBLE, "").trim();
  if (!text.includes("@")) return [];
  const [, before, inside, after] = IN_BRACKETS.exec(text) ?? [];
  if (inside !== undefined) {
    const name = `${(before ?? "").trim().replace(QUOTES, "")} ${after ?? ""}`.trim();
    return [{ address: bare(inside), name, isInBrackets: true }];
  }
  const words = text.split(/\s+/);
  const addresses = words.filter((word) => word.includes("@"));
  const others = words.filter((word) => !word.includes("@")).join(" ");
  const name = addresses.length === 1 ? others.replace(QUOTES, "") : "";
  return addresses.map((address) => ({ address: bare(address), name, isInBrackets: false }));
}

const bare = (text: string) => text.trim().replace(AROUND, "");
