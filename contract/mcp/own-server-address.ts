/** The rule of addresses of people's own tool servers. */

/**
 * `program`: a command, as of a server over stdio. `insecure`: without encryption. `credentials`: with a name or a
 * password. `fragment`: with a part after `#`. `invalid`: no address of the web.
 */
export type OwnAddressProblem = "program" | "insecure" | "credentials" | "fragment" | "invalid";

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
/** A path, or words of which the first is no address. */
const COMMAND = /^(?:file:|stdio:|[/~.]|(?!https?:)\S+\s+\S)/i;

/** The parts of a WHATWG URL by which it is judged. */
type ParsedAddress = { protocol: string; hostname: string; username: string; password: string };

/**
 * Returns why an entered address cannot be that of a person's server. Without encryption, only one on the server's own
 * machine is accepted; whether an address is public is checked when a connection is made, for each address of its name.
 */
export function ownAddressProblem(entered: string, url: ParsedAddress | null): OwnAddressProblem | undefined {
  if (COMMAND.test(entered)) return "program";
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return "invalid";
  if (url.protocol === "http:" && !LOOPBACK.test(url.hostname)) return "insecure";
  if (url.username !== "" || url.password !== "") return "credentials";
  return entered.includes("#") ? "fragment" : undefined;
}
