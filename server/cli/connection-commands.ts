import * as z from "zod/mini";
import { parseHeaderLines } from "#contract/administration/connection-headers.ts";
import {
  type ConnectionChange,
  type ConnectionHeader,
  changeConnectionSchema,
  HEADERS_MAX,
  type NewConnection,
  newConnectionSchema,
} from "#contract/administration/connections.ts";
import { ruleSentence } from "#contract/text/validation.ts";
import { topics } from "../bus/bus.ts";
import { SecretCipher } from "../config/secret-cipher.ts";
import { findSecretKey } from "../config/secret-key.ts";
import {
  type ChangeConnectionDeps,
  changeConnection,
  createConnection,
  removeConnection,
} from "../connections/change-connections.ts";
import { decryptSecrets } from "../connections/connection-secrets.ts";
import { findConnection, listConnections } from "../connections/connection-store.ts";
import { storedSettings } from "../connections/to-settings.ts";
import { findUses } from "../connections/uses-store.ts";
import type { ConnectionRow } from "../database/tables/connection-tables.ts";
import { Failure } from "../failure.ts";
import { type Call, type Command, type Outcome, parseFields, Refusal, toTable } from "./command.ts";
import { openCommandDeps } from "./open-installation.ts";

/** Option with its explanation, in the help text of a command. */
const explained = (option: string, text: string) => `${option.padEnd(OPTION_WIDTH)}  ${text}`;
const OPTION_WIDTH = 26;

const SLUG = "SLUG is the prefix of the connection's models, as the list shows it.";
const KEY = explained("--key-stdin", "reads the key from stdin, so that it is in no list of processes");
const HEADERS = [
  explained(
    "--header 'NAME: VALUE'",
    "sends a header with every call, with {account} and {group} as opaque ids; repeatable",
  ),
  explained("--headers-file FILE", "reads further headers from a file, one a line"),
  explained("--headers-stdin", "reads further headers from stdin, one a line"),
  explained("--sends-person", "allows {email} and {name} in headers, which every person is shown"),
];
const headerOptions = {
  header: { type: "string", multiple: true },
  "headers-file": { type: "string" },
  "headers-stdin": { type: "boolean" },
  "sends-person": { type: "boolean" },
} as const;
const HEADER_USAGE = "[--header 'NAME: VALUE']… [--headers-file FILE] [--headers-stdin]";

const list: Command = {
  name: "connections list",
  usage: "",
  summary: "Lists the connections to providers of models that owners have added, without keys and values of headers.",
  run: (call) =>
    withConnections(call, async ({ database, cipher }) => {
      const rows = await listConnections(database);
      const connections = rows.map((row) => ({
        ...{ slug: row.slug, name: row.name, kind: row.kind, baseUrl: row.base_url },
        ...{ isEnabled: row.is_enabled === 1, ...secretsOf(cipher, row), sendsPerson: storedSettings(row).sendsPerson },
      }));
      const table = connections.map(({ slug, name, kind, baseUrl, isEnabled, key, headers }) => [
        ...[slug, name, kind, isEnabled ? "yes" : "no", key, baseUrl],
        headers.map((header) => `${header}: ••••`).join(", "),
      ]);
      const headings = ["SLUG", "NAME", "KIND", "ENABLED", "KEY", "ADDRESS", "HEADERS"];
      return { data: { connections }, lines: toTable(headings, table) };
    }),
};

/** Returns the state of a connection's key, and the names of its headers. */
function secretsOf(cipher: SecretCipher, row: ConnectionRow) {
  const secrets = decryptSecrets(cipher, row);
  if (!secrets) return { key: "unreadable", headers: [] };
  return { key: secrets.apiKey === null ? "none" : "set", headers: secrets.headers.map(({ name }) => name) };
}

const add: Command = {
  name: "connections add",
  usage: `NAME --url URL [--kind KIND] [--slug SLUG] [--key-stdin] ${HEADER_USAGE} [--sends-person] [--disabled]`,
  summary: "Adds a connection to a provider of models; running servers use it within seconds.",
  details: [
    explained("--kind KIND", "openai (also any compatible server), anthropic, azure or ollama; openai by default"),
    KEY,
    ...HEADERS,
  ],
  options: {
    url: { type: "string" },
    kind: { type: "string" },
    slug: { type: "string" },
    "key-stdin": { type: "boolean" },
    ...headerOptions,
    disabled: { type: "boolean" },
  },
  operands: { min: 1, max: 1 },
  run: (call) =>
    withConnections(call, async (deps) => {
      const fields: NewConnection = parseFields(
        newConnectionSchema,
        {
          ...{ name: call.operand(0), kind: call.text("kind") ?? "openai", baseUrl: call.text("url") },
          ...{ slug: call.text("slug"), isEnabled: !call.has("disabled") },
          ...(await readSecrets(call)),
          settings: call.has("sends-person") ? { sendsPerson: true } : undefined,
        },
        INVALID,
      );
      const slug = await createConnection(deps, fields, null);
      return { data: { slug }, lines: [`The connection ${fields.name} is added; its models are ${slug}:….`] };
    }),
};

const set: Command = {
  name: "connections set",
  usage: `SLUG [--name NAME] [--url URL] [--key-stdin | --no-key] [${HEADER_USAGE} | --no-headers] [--sends-person | --no-sends-person] [--enable | --disable]`,
  summary: "Changes a connection; running replies keep the one with which they began.",
  details: [
    SLUG,
    KEY,
    explained("--no-key", "removes the key"),
    ...HEADERS,
    explained("--no-headers", "removes the headers"),
    "Headers replace the earlier ones together. A changed address needs its key and its headers again.",
  ],
  options: {
    name: { type: "string" },
    url: { type: "string" },
    "key-stdin": { type: "boolean" },
    "no-key": { type: "boolean" },
    ...headerOptions,
    "no-headers": { type: "boolean" },
    "no-sends-person": { type: "boolean" },
    enable: { type: "boolean" },
    disable: { type: "boolean" },
  },
  operands: { min: 1, max: 1 },
  run: (call) =>
    withConnections(call, async (deps) => {
      for (const [one, other] of opposites) {
        if (isGiven(call, one) && isGiven(call, other)) {
          throw new Refusal(`Give --${one} or --${other}, not both.`, "usage");
        }
      }
      const { apiKey, headers } = await readSecrets(call);
      const sendsPerson = switchOf(call, "sends-person", "no-sends-person");
      const change: ConnectionChange = parseFields(
        changeConnectionSchema,
        {
          ...{ name: call.text("name"), baseUrl: call.text("url"), isEnabled: switchOf(call, "enable", "disable") },
          apiKey: call.has("no-key") ? null : apiKey,
          headers: call.has("no-headers") ? [] : headers,
          settings: sendsPerson === undefined ? undefined : { sendsPerson },
        },
        INVALID,
      );
      const slug = call.operand(0);
      await changeConnection(deps, slug, change, null);
      return { data: { slug }, lines: [`The connection ${slug} is changed.`] };
    }),
};

/** Options of `connections set` that exclude each other. */
const opposites = [
  ["key-stdin", "no-key"],
  ["header", "no-headers"],
  ["headers-file", "no-headers"],
  ["headers-stdin", "no-headers"],
  ["sends-person", "no-sends-person"],
  ["enable", "disable"],
] as const;

const isGiven = (call: Call, option: string) =>
  call.has(option) || call.text(option) !== undefined || call.texts(option).length > 0;

/** Returns what two opposite options switch; undefined if neither is given. */
const switchOf = (call: Call, on: string, off: string): boolean | undefined =>
  call.has(on) || call.has(off) ? call.has(on) : undefined;

const remove: Command = {
  name: "connections delete",
  usage: "SLUG [--yes]",
  summary: "Deletes a connection with what was entered about its models. Chats keep their answers.",
  details: [SLUG],
  operands: { min: 1, max: 1 },
  run: (call) =>
    withConnections(call, async (deps) => {
      const slug = call.operand(0);
      if (!(await findConnection(deps.database, slug))) throw new Failure("not-found");
      const { presets, groups } = await findUses(deps.database, slug);
      await call.confirm(
        `Deletes the connection ${slug}, which ${presets} presets and ${groups.length} groups name: their models do not answer any more.`,
      );
      await removeConnection(deps, slug, null);
      return { data: { slug, presets, groups }, lines: [`The connection ${slug} is deleted.`] };
    }),
};

async function withConnections(call: Call, work: (deps: ChangeConnectionDeps) => Promise<Outcome>): Promise<Outcome> {
  await using deps = await openCommandDeps(call);
  const { config, secrets } = call.configuration();
  const secretKey = await findSecretKey(config.dataDir, secrets.secretKey);
  const cipher = new SecretCipher(secretKey ?? "", secrets.secretKeyPrevious);
  const connections = { publish: async () => deps.bus.publish(topics.connections) };
  try {
    return await work({ ...deps, cipher, connections });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "not-found") throw new Refusal(`There is no connection ${call.operand(0)}.`);
    const [issue] = error.issues ?? [];
    throw new Refusal(issue ? `${ruleSentence(issue.field, issue)}.` : error.message, "usage");
  }
}

/** Reads the key and the headers that a command gives. @throws Refusal */
async function readSecrets(call: Call): Promise<{ apiKey?: string; headers?: ConnectionHeader[] }> {
  if (call.has("key-stdin") && call.has("headers-stdin")) {
    throw new Refusal("Give --key-stdin or --headers-stdin, not both: stdin is read once.", "usage");
  }
  const apiKey = await readKey(call);
  const headers = await readHeaders(call);
  return { ...(apiKey !== undefined && { apiKey }), ...(headers && { headers }) };
}

async function readKey(call: Call): Promise<string | undefined> {
  if (!call.has("key-stdin")) return undefined;
  const key = (await call.world.readInput()).trim();
  if (key === "") throw new Refusal("There is no key on stdin.", "usage");
  return key;
}

/** Refusals name neither the line nor its value, which may be a secret. */
async function readHeaders(call: Call): Promise<ConnectionHeader[] | undefined> {
  const file = call.text("headers-file");
  const texts = [...call.texts("header")];
  if (file !== undefined) texts.push(readHeadersFile(call, file));
  if (call.has("headers-stdin")) texts.push(await call.world.readInput());
  if (texts.length === 0) return undefined;
  const headers = parseHeaderLines(texts.join("\n"));
  const parsed = z.safeParse(newConnectionSchema.shape.headers, headers);
  if (parsed.data && headers.length > 0) return parsed.data;
  throw new Refusal(`Give at most ${HEADERS_MAX} headers, each as a line such as 'X-Team: salon'.`, "usage");
}

function readHeadersFile(call: Call, path: string): string {
  try {
    return call.world.readFile(path);
  } catch (error) {
    throw new Refusal(`The file ${path} cannot be read.`, "usage", { cause: error });
  }
}

const INVALID = "The connection is not valid.";

export const connectionCommands: readonly Command[] = [list, add, set, remove];
