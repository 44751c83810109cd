import { chmod, mkdir, utimes, writeFile } from "node:fs/promises";
import type { Mail, SendMailOptions } from "nodemailer";
import { SECOND } from "#contract/limits.ts";
import { AbortScope } from "../concurrency/abort-scope.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { MailRow } from "../database/schema.ts";
import type { Letter } from "./letter.ts";
import { MailFiles } from "./mail-files.ts";

const CONNECT_MS = 10 * SECOND;
const SILENCE_MS = 20 * SECOND;
const WHOLE_MS = 60 * SECOND;

/** The mail server has refused a mail permanently; retries are useless. */
export class MailRefused extends Error {}

export interface Transport {
  /**
   * Sends a letter. Its Message-ID is derived from the mail's id, so that the receiver can recognise a duplicate.
   * @throws MailRefused if a retry is useless
   */
  send(letter: Letter, mail: MailToSend, signal: AbortSignal): Promise<void>;
}

export type MailToSend = Pick<MailRow, "id" | "user_id">;

export type TransportSettings = {
  /** Returns the current sender. */
  sender: () => string;
  /** URL of the site; its host is the domain of Message-IDs. */
  publicUrl: string;
  dataDir: string;
  clock: Clock;
  smtpUrl?: string;
  /** Prints a paragraph on the console. */
  print(paragraph: string): void;
};

/** Returns SMTP if a server is configured, else files in the data folder, with the links on the console. */
export function openTransport(settings: TransportSettings): Transport {
  const { smtpUrl } = settings;
  return smtpUrl ? new SmtpTransport(settings, smtpUrl) : new FileTransport(settings);
}

function toMessage({ to, subject, text, html }: Letter, mailId: string, settings: TransportSettings): SendMailOptions {
  return {
    from: settings.sender(),
    to: { name: "", address: to },
    subject,
    text,
    html,
    messageId: `<${mailId}@${new URL(settings.publicUrl).hostname}>`,
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

class SmtpTransport implements Transport {
  readonly #settings: TransportSettings;
  readonly #smtpUrl: string;
  #mailer: Promise<Mail> | undefined;

  constructor(settings: TransportSettings, smtpUrl: string) {
    this.#settings = settings;
    this.#smtpUrl = smtpUrl;
  }

  async send(letter: Letter, { id }: MailToSend, signal: AbortSignal): Promise<void> {
    this.#mailer ??= this.#open();
    const mailer = await this.#mailer;
    using scope = new AbortScope({ parents: [signal], ms: WHOLE_MS });
    try {
      await mailer.sendMail({ ...toMessage(letter, id, this.#settings), signal: scope.signal });
    } catch (error) {
      throw isFinal(error) ? new MailRefused("The mail server refused the mail", { cause: error }) : error;
    }
  }

  #open(): Promise<Mail> {
    return openMailer(this.#smtpUrl);
  }
}

async function openMailer(smtpUrl: string): Promise<Mail> {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url: smtpUrl,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
  });
}

/** Connects to a mail server and signs in, without sending a mail. @throws the error of the mail client */
export async function checkMailServer(smtpUrl: string): Promise<void> {
  const mailer = await openMailer(smtpUrl);
  try {
    await mailer.verify();
  } finally {
    mailer.close();
  }
}

/** SMTP reply codes about our sign-in: required, too weak, or wrong. */
const SIGN_IN_REPLIES = [530, 534, 535, 538];

/**
 * Whether the failure is permanent: a 5xx reply about the recipient or the text. The administrator can fix one about
 * our sign-in or our sender's address, so the mail is retried.
 */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error) || !("responseCode" in error) || !("code" in error)) return false;
  const { responseCode, code } = error;
  if (typeof responseCode !== "number" || responseCode < 500 || SIGN_IN_REPLIES.includes(responseCode)) return false;
  return (code === "EENVELOPE" && !("command" in error && error.command === "MAIL FROM")) || code === "EMESSAGE";
}

class FileTransport implements Transport {
  readonly #settings: TransportSettings;
  readonly #files: MailFiles;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
    this.#files = new MailFiles(settings.dataDir);
  }

  async send(letter: Letter, mail: MailToSend): Promise<void> {
    const { createTransport } = await import("nodemailer");
    const writer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
    const { message } = await writer.sendMail(toMessage(letter, mail.id, this.#settings));
    await mkdir(this.#files.folder, { recursive: true, mode: 0o700 });
    const file = this.#files.pathOf(mail);
    await writeFile(file, message, { mode: 0o600 });
    // A file of an earlier attempt keeps its mode when it is overwritten.
    await chmod(file, 0o600);
    // The sweep compares the file's time with this clock.
    const now = this.#settings.clock.now() / SECOND;
    await utimes(file, now, now);
    this.#settings.print([`${letter.label}: ${letter.link}`, letter.note].filter(Boolean).join("\n"));
  }
}
