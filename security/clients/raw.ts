import { connect } from "node:net";

/** For the beginning of an answer, on a machine that does much else. */
const ANSWER_MS = 10_000;

export type RawSending = {
  /** How long nothing more may come before it is taken for all: the server may keep the connection open. */
  quietMs?: number;
  /** Where there may be no answer at all. */
  answerMs?: number;
};

/** Sends bytes as they are, on a connection of their own, and gives everything that came back. */
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

/** The statuses of all answers in what came back. */
export const statusesIn = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
