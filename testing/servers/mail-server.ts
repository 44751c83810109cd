import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";

export type ReceivedMail = {
  /** Recipients of the SMTP envelope. */
  recipients: string[];
  sender: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  headers: Map<string, string>;
};

/** Behaviour towards mails: accepts, refuses, accepts but disconnects before confirming, or never answers. */
export type MailServerState =
  | "accept"
  | { refuse: number; at: "sender" | "recipient" | "data" }
  | "die-after-data"
  | "hang";

type Callback = (error?: Error | null) => void;

/** An SMTP server on a free port that stores the received mails. */
export class MailServer implements AsyncDisposable {
  state: MailServerState = "accept";
  readonly mails: ReceivedMail[] = [];
  /** Number of connections so far. */
  connections = 0;
  readonly #unread: ReceivedMail[] = [];
  readonly #readers = new Set<() => void>();
  readonly #sockets = new Set<Socket>();
  #server: SMTPServer | undefined;
  #port = 0;

  /** For `SMTP_URL`. */
  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  /** Starts listening; after {@link stop} on the same port as before. */
  async start(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      closeTimeout: 0,
      onConnect: (_session, done) => {
        this.connections++;
        done();
      },
      onMailFrom: (_address, _session, done) => this.#answer("sender", done),
      onRcptTo: (_address, _session, done) => this.#answer("recipient", done),
      // A sender that was killed during the transfer has sent no mail.
      onData: (stream, session, done) => void this.#take(stream, session, done).catch(() => undefined),
    });
    const listener = server.listen(this.#port, "127.0.0.1");
    listener.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    await once(listener, "listening");
    // Connection errors of senders that were killed during a transfer.
    server.on("error", () => undefined);
    this.#port = (listener.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Resets all connections and refuses new ones. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Waits for and returns the oldest mail to an address that no earlier call returned. */
  async waitForMail(address: string): Promise<ReceivedMail> {
    for (;;) {
      const at = this.#unread.findIndex(({ recipients }) => recipients.includes(address));
      const [mail] = at < 0 ? [] : this.#unread.splice(at, 1);
      if (mail) return mail;
      await new Promise<void>((resolve) => this.#readers.add(resolve));
    }
  }

  async #take(stream: SMTPServerDataStream, { envelope }: SMTPServerSession, done: Callback): Promise<void> {
    const parsed = await PostalMime.parse(await buffer(stream));
    if (this.state === "accept" || this.state === "die-after-data") {
      const mail: ReceivedMail = {
        recipients: envelope.rcptTo.map(({ address }) => address),
        sender: envelope.mailFrom ? envelope.mailFrom.address : "",
        from: parsed.from?.address ?? "",
        subject: parsed.subject ?? "",
        text: parsed.text ?? "",
        html: parsed.html ?? "",
        messageId: parsed.messageId ?? "",
        headers: new Map(parsed.headers.map(({ key, value }) => [key, value])),
      };
      this.mails.push(mail);
      this.#unread.push(mail);
      for (const arrived of this.#readers) arrived();
      this.#readers.clear();
    }
    if (this.state === "die-after-data") return this.stop();
    this.#answer("data", done);
  }

  #answer(at: "sender" | "recipient" | "data", done: Callback): void {
    if (this.state === "hang") return;
    const { state } = this;
    if (typeof state === "object" && state.at === at) {
      done(Object.assign(new Error("not taken here"), { responseCode: state.refuse }));
    } else done();
  }
}

export async function startMailServer(): Promise<MailServer> {
  const server = new MailServer();
  await server.start();
  return server;
}
