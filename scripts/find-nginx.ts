import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Usual folders of nginx that are not in the PATH of an unprivileged user. */
const FOLDERS = ["/usr/sbin", "/usr/local/sbin"];

/** Returns the nginx for tests: NGINX_PATH, else the first in the PATH or in FOLDERS; undefined if there is none. */
export function findNginx(): string | undefined {
  const told = process.env.NGINX_PATH;
  if (told !== undefined && told !== "") return told;
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), ...FOLDERS];
  return folders.map((folder) => join(folder, "nginx")).find((path) => existsSync(path));
}
