import { isIP, type Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";

/** RFC 4511, section 4.14. */
const START_TLS = "1.3.6.1.4.1.1466.20037";
const MESSAGE_ID = 1;
const SUCCESS = 0;
/** In bytes. */
const ANSWER_MAX = 4096;

/** Begins TLS on a connection, and checks the certificate for the host. */
export function encrypt(socket: Socket, host: string): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    // A server name is never an address (RFC 6066, section 3); the certificate is checked for `host` in any case.
    const secure = connect({ socket, host, ...(isIP(host) === 0 && { servername: host }) });
    const onClose = () => reject(new Error("The directory closed the connection while TLS began."));
    socket.once("close", onClose);
    secure.on("error", reject).once("secureConnect", () => {
      socket.off("close", onClose);
      resolve(secure);
    });
  });
}

/** Requests StartTLS, and begins TLS. @throws Error if the directory refuses, or answers with more than one message */
export async function upgradeByStartTls(socket: Socket, host: string): Promise<TLSSocket> {
  const { BerReader, ExtendedRequest, ProtocolOperation } = await import("ldapts");
  const answer = readAnswer(socket, (bytes) => {
    const reader = new BerReader(bytes);
    return reader.readSequence() === null ? undefined : reader.offset + reader.length;
  });
  socket.write(new ExtendedRequest({ messageId: MESSAGE_ID, oid: START_TLS }).write());
  const reader = new BerReader(await answer);
  reader.readSequence();
  const isOurs = reader.readInt() === MESSAGE_ID;
  reader.readSequence(ProtocolOperation.LDAP_RES_EXTENSION);
  if (!isOurs || reader.readEnumeration() !== SUCCESS) throw new Error("The directory refuses StartTLS.");
  return encrypt(socket, host);
}

/**
 * Reads one message. A man in the middle could let the beginning of an answer follow it, which the directory's bytes
 * within TLS complete: with more than one message, the connection is not used.
 * @param lengthOf returns the length of a message; undefined while its header is incomplete
 */
function readAnswer(socket: Socket, lengthOf: (bytes: Buffer) => number | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const finish = (settle: () => void) => {
      socket.off("data", onData).off("close", onClose).pause();
      settle();
    };
    const refuse = (reason: string) => finish(() => reject(new Error(reason)));
    const onClose = () => refuse("The directory closed the connection at StartTLS.");
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      try {
        const length = lengthOf(received);
        if (length === received.length) finish(() => resolve(received));
        else if (received.length > Math.min(length ?? ANSWER_MAX, ANSWER_MAX)) {
          refuse("The directory answers StartTLS with more than one message.");
        }
      } catch {
        refuse("The directory's answer to StartTLS is not valid.");
      }
    };
    socket.on("data", onData).once("close", onClose);
  });
}
