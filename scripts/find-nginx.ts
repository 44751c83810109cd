import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where systems put it, and an ordinary person's PATH does not lead. */
const FOLDERS = ["/usr/sbin", "/usr/local/sbin"];

/** The nginx to test with: NGINX_PATH, else the first in the PATH or beside it; undefined where there is none. */
export function findNginx(): string | undefined {
  const told = process.env.NGINX_PATH;
  if (told !== undefined && told !== "") return told;
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), ...FOLDERS];
  return folders.map((folder) => join(folder, "nginx")).find((path) => existsSync(path));
}
