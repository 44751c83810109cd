import { connect, type Socket } from "node:net";
import type { LdapSettings } from "../../config/accounts/ldap-variables.ts";
import { encrypt, upgradeByStartTls } from "./encrypt-socket.ts";

const PORTS: Readonly<Record<string, number>> = { "ldap:": 389, "ldaps:": 636 };

/**
 * Connects to a directory. TLS is complete, and the certificate checked, before anything else is sent. The client of
 * LDAP gets the finished connection: by itself it would go on without TLS after a lost connection, and would read what
 * arrived before TLS as answers within it.
 * @param signal destroys the connection
 * @throws Error if the directory cannot be reached, or its certificate is not valid
 */
export async function openDirectorySocket(
  { url, usesStartTls }: Pick<LdapSettings, "url" | "usesStartTls">,
  signal: AbortSignal,
): Promise<Socket> {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const socket = connect({ host, port: port === "" ? (PORTS[protocol] ?? 389) : Number(port), signal });
  try {
    await connected(socket);
    if (protocol === "ldaps:") return await encrypt(socket, host);
    return usesStartTls ? await upgradeByStartTls(socket, host) : socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("connect", resolve).on("error", reject);
  });
}
