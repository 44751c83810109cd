import {
  type ConnectionChange,
  changeConnectionSchema,
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
import { findUses } from "../connections/uses-store.ts";
import type { ConnectionRow } from "../database/tables/connection-tables.ts";
import { Failure } from "../failure.ts";
import { type Call, type Command, type Outcome, parseFields, Refusal, toTable } from "./command.ts";
import { openCommandDeps } from "./open-installation.ts";

const SLUG = "SLUG is the prefix of the connection's models, as the list shows it.";
const KEY = "--key-stdin  reads the key from stdin, so that it is in no list of processes";

const list: Command = {
  name: "connections list",
  usage: "",
  summary: "Lists the connections to providers of models that owners have added, without their keys.",
  run: (call) =>
    withConnections(call, async ({ database, cipher }) => {
      const rows = await listConnections(database);
      const connections = rows.map((row) => ({
        ...{ slug: row.slug, name: row.name, kind: row.kind, baseUrl: row.base_url },
        ...{ isEnabled: row.is_enabled === 1, key: keyState(cipher, row) },
      }));
      const table = connections.map(({ slug, name, kind, baseUrl, isEnabled, key }) => [
        ...[slug, name, kind, isEnabled ? "yes" : "no", key, baseUrl],
      ]);
      return { data: { connections }, lines: toTable(["SLUG", "NAME", "KIND", "ENABLED", "KEY", "ADDRESS"], table) };
    }),
};

function keyState(cipher: SecretCipher, row: ConnectionRow): "none" | "set" | "unreadable" {
  if (decryptSecrets(cipher, row) === undefined) return "unreadable";
  return row.key_encrypted === null ? "none" : "set";
}

const add: Command = {
  name: "connections add",
  usage: "NAME --url URL [--kind KIND] [--slug SLUG] [--key-stdin] [--disabled]",
  summary: "Adds a connection to a provider of models; running servers use it within seconds.",
  details: ["--kind KIND  openai (also any compatible server), anthropic, azure or ollama; openai by default", KEY],
  options: {
    url: { type: "string" },
    kind: { type: "string" },
    slug: { type: "string" },
    "key-stdin": { type: "boolean" },
    disabled: { type: "boolean" },
  },
  operands: { min: 1, max: 1 },
  run: (call) =>
    withConnections(call, async (deps) => {
      const fields: NewConnection = parseFields(
        newConnectionSchema,
        {
          ...{ name: call.operand(0), kind: call.text("kind") ?? "openai", baseUrl: call.text("url") },
          ...{ slug: call.text("slug"), apiKey: await readKey(call), isEnabled: !call.has("disabled") },
        },
        INVALID,
      );
      const slug = await createConnection(deps, fields, null);
      return { data: { slug }, lines: [`The connection ${fields.name} is added; its models are ${slug}:….`] };
    }),
};

const set: Command = {
  name: "connections set",
  usage: "SLUG [--name NAME] [--url URL] [--key-stdin | --no-key] [--enable | --disable]",
  summary: "Changes a connection; running replies keep the one with which they began.",
  details: [SLUG, KEY, "--no-key     removes the key", "A changed address needs its key again."],
  options: {
    name: { type: "string" },
    url: { type: "string" },
    "key-stdin": { type: "boolean" },
    "no-key": { type: "boolean" },
    enable: { type: "boolean" },
    disable: { type: "boolean" },
  },
  operands: { min: 1, max: 1 },
  run: (call) =>
    withConnections(call, async (deps) => {
      for (const [one, other] of [
        ["key-stdin", "no-key"],
        ["enable", "disable"],
      ] as const) {
        if (call.has(one) && call.has(other)) throw new Refusal(`Give --${one} or --${other}, not both.`, "usage");
      }
      const isChanged = call.has("enable") || call.has("disable");
      const change: ConnectionChange = parseFields(
        changeConnectionSchema,
        {
          ...{ name: call.text("name"), baseUrl: call.text("url") },
          apiKey: call.has("no-key") ? null : await readKey(call),
          isEnabled: isChanged ? call.has("enable") : undefined,
        },
        INVALID,
      );
      const slug = call.operand(0);
      await changeConnection(deps, slug, change, null);
      return { data: { slug }, lines: [`The connection ${slug} is changed.`] };
    }),
};

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

async function readKey(call: Call): Promise<string | undefined> {
  if (!call.has("key-stdin")) return undefined;
  const key = (await call.world.readInput()).trim();
  if (key === "") throw new Refusal("There is no key on stdin.", "usage");
  return key;
}

const INVALID = "The connection is not valid.";

export const connectionCommands: readonly Command[] = [list, add, set, remove];
