import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { markTokens, tokensOf } from "../../server/text/tokenise.ts";
import { Random } from "../../testing/app/random.ts";

const MODEL = "GPT:gpt-5-mini";
const VOCABULARY = 50_000;
const WORDS = 40;
/** Average number of messages in a chat. */
const CHATS_OF = 50;
const BATCH = 5000;
/** The rare word is in one of this many messages. */
const RARE_IN = 20_000;
const CHINESE_IN = 20;
/** One of this many messages names a file. Its text has the rare word of files at its end. */
const FILE_IN = 1000;
const FILE_WORDS = 5000;

export const rareWord = "zygomorphic";
export const fileWord = "palimpsest";
export const commonWord = wordOf(3);
export const otherCommonWord = wordOf(7);
export const chinesePair = String.fromCodePoint(0x4e00 + 10, 0x4e00 + 20);

type Role = "user" | "assistant";
type Message = {
  id: string;
  userId: string;
  chatId: string;
  parent: string | null;
  role: Role;
  content: string;
  at: number;
  file: { id: string; key: string; name: string; text: string } | undefined;
};
type Chat = { id: string; leaf: string | null };

function wordOf(index: number): string {
  const letters = "etaoinshrdlcumwfgypbvk";
  let word = "";
  for (let rest = index + 500; rest > 0; rest = Math.floor(rest / letters.length))
    word += letters[rest % letters.length];
  return word;
}

/**
 * Generates the same messages in each run, in batches. Few words are common and most are rare, as in natural text. Half
 * of the messages belong to the first account.
 */
function* messagesOf(accounts: readonly string[], count: number): Generator<Message[]> {
  const random = new Random("growth");
  const chats = new Map<string, Chat>();
  for (let made = 0; made < count; ) {
    const batch: Message[] = [];
    for (; batch.length < BATCH && made < count; made++) {
      const account = accounts[random.chance(0.5) ? 0 : random.between(0, accounts.length - 1)] ?? "";
      let chat = chats.get(account);
      if (!chat || random.chance(1 / CHATS_OF)) chat = { id: randomUUID(), leaf: null };
      chats.set(account, chat);
      const wordsOf = (length: number) =>
        Array.from({ length }, () => wordOf(Math.floor(VOCABULARY * random.fraction() ** 4)));
      const words = wordsOf(random.between(5, 4 + 2 * WORDS));
      if (made % RARE_IN === 7) words.push(rareWord);
      if (made % CHINESE_IN === 3) {
        const signs = Array.from({ length: 30 }, () => 0x4e00 + Math.floor(2000 * random.fraction() ** 2));
        words.push(String.fromCodePoint(...signs));
      }
      const [id, parent, role]: [string, string | null, Role] = [
        randomUUID(),
        chat.leaf,
        made % 2 ? "assistant" : "user",
      ];
      chat.leaf = id;
      const text = made % FILE_IN === 5 ? [...wordsOf(FILE_WORDS), fileWord].join(" ") : undefined;
      const file =
        text === undefined ? undefined : { id: randomUUID(), key: randomUUID(), name: `report ${made}.txt`, text };
      batch.push({ id, userId: account, chatId: chat.id, parent, role, content: words.join(" "), at: made, file });
    }
    yield batch;
  }
}

const tokensFor = ({ userId, role, content }: Message) => [
  markTokens.user(userId),
  markTokens.role(role),
  ...tokensOf(content),
];
const tokensOfFile = ({ userId, role }: Message, { name, text }: NonNullable<Message["file"]>) => [
  markTokens.user(userId),
  markTokens.role(role),
  ...tokensOf(`${name}\n${text}`),
];
const fileColumns = "user_id, id, key, name, type, size, text_bytes, is_sent, created_at";
const chatColumns = "id, user_id, title, title_origin, created_at, updated_at";
const messageColumns = "id, user_id, chat_id, parent, role, content, model, state, created_at";

/** Inserts the messages into the database file of an idle server. */
export async function fillSqlite(file: string, accounts: readonly string[], count: number): Promise<void> {
  using database = new DatabaseSync(file);
  database.exec("pragma synchronous = off");
  const chat = database.prepare(`insert or ignore into chats (${chatColumns}) values (?, ?, 'Words', 'model', 0, 0)`);
  const message = database.prepare(
    `insert into messages (${messageColumns}) values (?, ?, ?, ?, ?, ?, '${MODEL}', 'complete', ?)`,
  );
  const end = database.prepare("update chats set leaf = ?, updated_at = ? where id = ?");
  const entry = database.prepare("insert into search_entries (user_id, chat_id, message_id, at) values (?, ?, ?, ?)");
  const words = database.prepare("insert into search_tokens (rowid, tokens) values (?, ?)");
  const addFile = sqliteFiles(database);
  for (const batch of messagesOf(accounts, count)) {
    database.exec("begin");
    for (const one of batch) {
      chat.run(one.chatId, one.userId);
      message.run(one.id, one.userId, one.chatId, one.parent, one.role, one.content, one.at);
      end.run(one.id, one.at, one.chatId);
      const { lastInsertRowid } = entry.run(one.userId, one.chatId, one.id, one.at);
      words.run(lastInsertRowid, tokensFor(one).join(" "));
      addFile(one);
    }
    database.exec("commit");
    // Yields to the event loop, so that connections that the server closes meanwhile are noticed.
    await new Promise(setImmediate);
  }
}

/** Returns a function that inserts the file of a message, if it names one. */
function sqliteFiles(database: DatabaseSync): (message: Message) => void {
  const row = database.prepare(`insert into files (${fileColumns}) values (?, ?, ?, ?, 'text/plain', ?, ?, 1, ?)`);
  const text = database.prepare("insert into file_texts (key, text) values (?, ?)");
  const name = database.prepare(
    "insert into message_files (message_id, position, user_id, file_id) values (?, 0, ?, ?)",
  );
  const entry = database.prepare(
    "insert into search_entries (user_id, chat_id, message_id, file_id, at) values (?, ?, ?, ?, ?)",
  );
  const words = database.prepare("insert into search_tokens (rowid, tokens) values (?, ?)");
  return (message) => {
    const { id, userId, chatId, at, file } = message;
    if (!file) return;
    row.run(userId, file.id, file.key, file.name, file.text.length, file.text.length, at);
    text.run(file.key, file.text);
    name.run(id, userId, file.id);
    const { lastInsertRowid } = entry.run(userId, chatId, id, file.id, at);
    words.run(lastInsertRowid, tokensOfFile(message, file).join(" "));
  };
}

/** Inserts the files of messages into PostgreSQL. */
async function insertFilesOnPostgres(client: pg.Client, batch: readonly Message[]): Promise<void> {
  for (const message of batch) {
    const { id, userId, chatId, at, file } = message;
    if (!file) continue;
    await client.query(`insert into files (${fileColumns}) values ($1, $2, $3, $4, 'text/plain', $5, $5, 1, $6)`, [
      ...[userId, file.id, file.key, file.name, file.text.length, at],
    ]);
    await client.query("insert into file_texts (key, text) values ($1, $2)", [file.key, file.text]);
    await client.query("insert into message_files (message_id, position, user_id, file_id) values ($1, 0, $2, $3)", [
      id,
      userId,
      file.id,
    ]);
    await client.query(
      `insert into search_entries (message_id, file_id, user_id, chat_id, tokens, at)
       values ($1, $2, $3, $4, array_to_tsvector(string_to_array($5, ' ')), $6)`,
      [id, file.id, userId, chatId, tokensOfFile(message, file).join(" "), at],
    );
  }
}

/** Inserts the messages into PostgreSQL directly. */
export async function fillPostgres(url: string, accounts: readonly string[], count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const batch of messagesOf(accounts, count)) {
    const column = (of: (message: Message) => unknown) => batch.map(of);
    const common = [column(({ id }) => id), column(({ userId }) => userId), column(({ chatId }) => chatId)];
    await client.query("begin");
    await client.query(
      `insert into chats (${chatColumns}) select distinct c, u, 'Words', 'model', 0, 0
       from unnest($1::text[], $2::text[]) as t (c, u) on conflict do nothing`,
      [common[2], common[1]],
    );
    await client.query(
      `insert into messages (${messageColumns}) select i, u, c, p, r, t, '${MODEL}', 'complete', a
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[])
       as t (i, u, c, t, a, p, r)`,
      [
        ...common,
        column(({ content }) => content),
        column(({ at }) => at),
        column(({ parent }) => parent),
        column(({ role }) => role),
      ],
    );
    await client.query(
      `update chats set leaf = i, updated_at = a from (
         select distinct on (c) c, i, a from unnest($1::text[], $2::text[], $3::bigint[]) as t (i, c, a) order by c, a desc
       ) as last where id = c`,
      [common[0], common[2], column(({ at }) => at)],
    );
    await client.query(
      `insert into search_entries (message_id, user_id, chat_id, tokens, at)
       select i, u, c, array_to_tsvector(string_to_array(t, ' ')), a
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[]) as t (i, u, c, t, a) order by a`,
      [...common, column((one) => tokensFor(one).join(" ")), column(({ at }) => at)],
    );
    await insertFilesOnPostgres(client, batch);
    await client.query("commit");
  }
  await client.query("vacuum analyze");
  await client.end();
}
