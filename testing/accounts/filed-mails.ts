import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";
import type { TestApp } from "../app/start-test-app.ts";

export type FiledMail = { id: string; to: string; subject: string; text: string; html: string };

/** Reads the mails in the data folder, oldest first. */
export async function filedMails(app: TestApp): Promise<FiledMail[]> {
  return Promise.all((await filedNames(app)).map((file) => readMail(app, file)));
}

const folderOf = (app: TestApp) => join(app.dataDir, "mails");

async function filedNames(app: TestApp): Promise<string[]> {
  await app.context.outbox.deliverDue();
  return (await readdir(folderOf(app)).catch(() => [])).sort();
}

async function readMail(app: TestApp, file: string): Promise<FiledMail> {
  const { to, subject, text, html } = await PostalMime.parse(await readFile(join(folderOf(app), file)));
  const id = file.replace(/\.eml$/, "");
  return { id, to: to?.[0]?.address ?? "", subject: subject ?? "", text: text ?? "", html: html ?? "" };
}

/** Reads the mails to one address, oldest first. */
export async function filedMailsTo(app: TestApp, address: string): Promise<FiledMail[]> {
  return (await filedMails(app)).filter(({ to }) => to.toLowerCase() === address.toLowerCase());
}

/** Subjects of the mails to one address, oldest first. */
export async function subjectsTo(app: TestApp, address: string): Promise<string[]> {
  return (await filedMailsTo(app, address)).map(({ subject }) => subject);
}

/** Returns the key of the newest verification mail to an address. */
export async function mailedKey(app: TestApp, address: string): Promise<string> {
  for (const file of (await filedNames(app)).reverse()) {
    const { to, text } = await readMail(app, file);
    const key = to.toLowerCase() === address.toLowerCase() ? keyIn(text) : undefined;
    if (key) return key;
  }
  throw new Error(`No verification mail to ${address}`);
}

/** Returns the key in a mail's verification link. */
export function keyIn(text: string): string | undefined {
  return /\/verify-email\?key=([\w-]+)&/.exec(text)?.[1];
}
