import { closeSync, openSync, writeSync } from "node:fs";
import { Zip, ZipDeflate, ZipPassThrough } from "fflate";
import { noisePicture } from "../attachments/noise-picture.ts";
import { chatgptChat } from "./chatgpt-chat.ts";

const PICTURE_BYTES = 500_000;

/** `named`: number of pictures that chats name, one each; the others are of no chat. Sizes in bytes. */
export type ArchiveShape = { bytes: number; chats: number; messagesPerChat: number; named: number };

/**
 * Writes an archive as ChatGPT exports it: lists of up to 500 chats, which are compressed, and stored pictures up to the
 * wanted size. Nothing of it stays in memory.
 */
export function writeChatgptArchive(path: string, { bytes, chats, messagesPerChat, named }: ArchiveShape): void {
  const file = openSync(path, "w");
  let written = 0;
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    written += writeSync(file, piece);
  });
  for (let from = 0; from < chats; from += CHATS_PER_LIST) {
    const list = new ZipDeflate(`conversations-${String(from / CHATS_PER_LIST).padStart(3, "0")}.json`, { level: 1 });
    zip.add(list);
    for (let at = from; at < Math.min(from + CHATS_PER_LIST, chats); at++) {
      const chat = chatgptChat(at, messagesPerChat, at < named ? idOf(at) : undefined);
      list.push(Buffer.from(`${at === from ? "[" : ","}${JSON.stringify(chat)}`), false);
    }
    list.push(Buffer.from("]"), true);
  }
  const picture = noisePicture(PICTURE_BYTES);
  for (let at = 0; at < named || written < bytes; at++) {
    const entry = new ZipPassThrough(`${idOf(at)}-picture ${at}.png`);
    zip.add(entry);
    entry.push(picture, true);
  }
  zip.end();
  closeSync(file);
}

const CHATS_PER_LIST = 500;

const idOf = (at: number) => `file-Picture${at}`;
