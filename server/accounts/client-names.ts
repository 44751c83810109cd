/** Names of a client's browser (or program) and operating system; empty if unknown. */
export type ClientNames = { browser: string; system: string };

/**
 * A program's own name, as in `curl/8.5`: one short word, so that an attacker cannot put an address or a sentence into
 * mails.
 */
const PROGRAM = /^([a-z][a-z0-9_-]{1,29})\/\d/i;

/** Names a client by its user agent, which clients choose freely: only known names are returned. */
export async function namesOfClient(userAgent: string): Promise<ClientNames> {
  if (userAgent === "") return { browser: "", system: "" };
  const { BROWSER_MAP, OS_MAP, getParser } = await import("bowser");
  const parser = getParser(userAgent);
  const known = (name: string, names: object) => (Object.values(names).includes(name) ? name : "");
  return {
    browser: known(parser.getBrowserName(), BROWSER_MAP) || (PROGRAM.exec(userAgent)?.[1] ?? ""),
    system: known(parser.getOSName(), OS_MAP),
  };
}
