const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,31}));/gi;
const REPLACEMENT = "\u{FFFD}";
const MAX_CODE_POINT = 0x10ffff;

/** Replaces the character references of HTML. `named`: returns the character of a name such as `eacute`, or false. */
export const decodeReferences = (text: string, named: (name: string) => string | false): string =>
  text.includes("&")
    ? text.replaceAll(REFERENCE, (written, decimal?: string, hex?: string, name = "") => {
        if (decimal !== undefined) return characterOf(Number(decimal));
        return hex === undefined ? named(name) || written : characterOf(Number.parseInt(hex, 16));
      })
    : text;

const characterOf = (code: number): string =>
  code === 0 || code > MAX_CODE_POINT || (code >= 0xd800 && code <= 0xdfff) ? REPLACEMENT : String.fromCodePoint(code);
