import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Usual folders of servers that are not in the PATH of an unprivileged user. */
const FOLDERS = ["/usr/sbin", "/usr/local/sbin"];

/** Returns the nginx for tests: NGINX_PATH, else the first in the PATH or in FOLDERS; undefined if there is none. */
export const findNginx = () => findServer("nginx", process.env.NGINX_PATH);

/** Returns the program of a server: the given one, else the first in the PATH or in FOLDERS; undefined if there is none. */
export function findServer(name: string, given: string | undefined): string | undefined {
  if (given !== undefined && given !== "") return given;
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), ...FOLDERS];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
