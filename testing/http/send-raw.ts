import { connect } from "node:net";

/** Timeout for the beginning of a response, on a busy machine. */
const ANSWER_MS = 10_000;

export type RawSending = {
  /** Silence after which the response counts as complete, because the server may keep the connection open. */
  quietMs?: number;
  /** Timeout if there may be no response at all. */
  answerMs?: number;
};

/** Sends raw bytes on a new connection. @returns everything that was received */
export function sendRaw(
  url: string,
  bytes: string | Buffer,
  { quietMs = 300, answerMs = ANSWER_MS }: RawSending = {},
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    const finish = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString("latin1"));
    };
    socket.setTimeout(answerMs, finish);
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      socket.setTimeout(quietMs, finish);
    });
    socket.once("error", finish);
    socket.once("close", finish);
    socket.write(bytes);
  });
}

/** Returns the statuses of all responses in the received text. */
export const statusesIn = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
