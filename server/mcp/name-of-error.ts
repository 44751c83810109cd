import { field } from "../text/wire-json.ts";

/** Returns an error for the log: its name and code. Messages may contain what a server sent, and with it secrets. */
export function nameOfError(error: unknown): string {
  const { name } = error instanceof Error ? error : { name: "unknown" };
  const code = field(error, "code") ?? field(field(error, "cause"), "code");
  const isWord = typeof code === "number" || (typeof code === "string" && /^[\w-]{1,40}$/.test(code));
  return isWord ? `${name}, ${code}` : name;
}
