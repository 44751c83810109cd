/** Connections to providers of models, which owners manage. Times are Unix times in ms. */

import * as z from "zod/mini";
import { HEADER_NAME } from "../header-name.ts";
import { modelFactsSchema, modelOverridesSchema } from "../models/model-facts.ts";
import { nameText } from "../text/name-text.ts";
import { rule } from "../text/validation.ts";
import { looseText, wellFormed } from "../text/well-formed.ts";
import { timeField } from "../times.ts";

/** APIs of connections. `openai`: any server with OpenAI's API. `ollama`: the same, with Ollama's own list of models. */
export const connectionKinds = ["openai", "anthropic", "azure", "ollama"] as const;
export type ConnectionKind = (typeof connectionKinds)[number];

/** Wire formats of servers with OpenAI's API. */
export const openAiApis = ["chat-completions", "responses"] as const;

/** Slugs of the connections that the environment sets. */
export const fixedSlugs = ["GPT", "CLAUDE", "LOCAL"] as const;
export type FixedSlug = (typeof fixedSlugs)[number];

export const CONNECTIONS_MAX = 50;
/** In UTF-16 units. */
export const CONNECTION_NAME_MAX = 60;
export const SLUG_MAX = 24;
export const KEY_MAX = 4096;
export const HEADERS_MAX = 20;
/** Models of a connection; the rest of a longer list is left out. */
export const CONNECTION_MODELS_MAX = 2000;
export const MODEL_NAME_MAX = 190;
/** Models of automatic choice. */
export const AUTOMATIC_MODELS_MAX = 50;

const URL_MAX = 2000;
const HEADER_MAX = 4096;
const PATTERN_MAX = 500;

/** Form of a slug, the prefix of the values of a connection's models. */
export const SLUG = /^[A-Z0-9](?:[A-Z0-9-]{0,22}[A-Z0-9])?$/;

const invalid = { error: rule("invalid") };

const urlField = () =>
  z.string(invalid).check(z.minLength(1, { error: rule("required") }), z.maxLength(URL_MAX, invalid));

const settingsFields = {
  /** Which of the listed models people can choose: all, those that an owner selects, or those that a pattern matches. */
  offer: z.enum(["all", "chosen", "pattern"]),
  /** For `offer: "pattern"`: names with `*` for any text, separated by commas or white space. */
  pattern: z.string(invalid).check(z.maxLength(PATTERN_MAX, invalid), z.overwrite(wellFormed)),
  /** Wire format; null: that of the address. */
  api: z.nullable(z.enum(openAiApis)),
  /** `api-version` of Azure's classic deployments; null: its API `v1`. */
  apiVersion: z.nullable(z.string(invalid).check(z.regex(/^[\w.-]{1,40}$/, invalid))),
  /** Window of models whose server reports none; null: the program's default. */
  unknownContextTokens: z.nullable(z.int(invalid).check(z.minimum(512, invalid), z.maximum(100_000_000, invalid))),
  /** Whether calls go through the proxy of the environment. */
  usesProxy: z.boolean(),
  /** Whether headers may contain a person's address or name (`{email}`, `{name}`), which every person is shown. */
  sendsPerson: z.boolean(),
};

export const connectionSettingsSchema = z.object(settingsFields);
export type ConnectionSettingValues = z.infer<typeof connectionSettingsSchema>;

/** Settings of a connection for which none were entered. */
export const defaultConnectionSettings: ConnectionSettingValues = {
  offer: "all",
  pattern: "",
  api: null,
  apiVersion: null,
  unknownContextTokens: null,
  usesProxy: true,
  sendsPerson: false,
};

/** A header of every call, with placeholders as in `connection-headers.ts`. */
const headerField = z.object({
  name: z.string(invalid).check(z.regex(HEADER_NAME, invalid)),
  value: z.string(invalid).check(z.regex(/^[\t\x20-\x7e]*$/, invalid), z.maxLength(HEADER_MAX, invalid)),
});
export type ConnectionHeader = z.infer<typeof headerField>;

const writable = {
  name: nameText(CONNECTION_NAME_MAX),
  baseUrl: urlField(),
  /** Null: the server needs none. */
  apiKey: z.nullable(z.string(invalid).check(z.minLength(1, invalid), z.maxLength(KEY_MAX, invalid))),
  headers: z.array(headerField).check(z.maxLength(HEADERS_MAX, invalid)),
  settings: z.partial(connectionSettingsSchema),
};

export const newConnectionSchema = z.extend(z.partial(z.object(writable)), {
  kind: z.enum(connectionKinds),
  /** Prefix of the values of its models, which never changes; absent: made of the name. */
  slug: z.optional(z.string(invalid).check(z.regex(SLUG, invalid))),
  name: writable.name,
  baseUrl: writable.baseUrl,
  /** Absent: true. */
  isEnabled: z.optional(z.boolean()),
});
export type NewConnection = z.infer<typeof newConnectionSchema>;

/** Partial change. An absent key or header list stays as it is. */
export const changeConnectionSchema = z.extend(z.partial(z.object(writable)), { isEnabled: z.optional(z.boolean()) });
export type ConnectionChange = z.infer<typeof changeConnectionSchema>;

/** `id`: a slug of any form; a malformed one is answered with "not found", like an unknown one. */
export const connectionParamsSchema = z.object({ id: z.string().check(z.overwrite(wellFormed)) });

/**
 * State of a list of models. `unknown`: not requested yet. `there`: the server has answered. `none`: it has no list, so
 * names are entered. `away`: it does not answer, and the last list is used.
 */
export const listStates = ["unknown", "there", "none", "away"] as const;

export const connectionSchema = z.object({
  slug: z.string(),
  name: z.string(),
  /** A `ConnectionKind`. */
  kind: z.string(),
  baseUrl: z.string(),
  /** Set by the environment: it cannot be changed in the browser. */
  isFixed: z.boolean(),
  isEnabled: z.boolean(),
  /** The last characters of its key; null: it has none. */
  keyEnd: z.nullable(z.string()),
  /** The server cannot decrypt its key or headers, which must be entered again. */
  isUnreadable: z.boolean(),
  /** Names of additional headers, without their values. */
  headers: z.array(z.string()).check(z.maxLength(HEADERS_MAX)),
  settings: connectionSettingsSchema,
  list: z.object({
    state: z.enum(listStates),
    /** When it was read last; absent: never. */
    at: z.optional(timeField()),
    /** Why the last request failed: a `ProviderRefusal`. */
    reason: z.optional(z.string()),
    status: z.optional(z.int()),
    /** Its address is a loopback address, and the server runs in a container. */
    isOwnContainer: z.optional(z.literal(true)),
    /** Numbers of models: that people can choose, and of all. */
    offered: z.int(),
    all: z.int(),
  }),
});
export type Connection = z.infer<typeof connectionSchema>;

/** Fixed connections first. `automatic`: values of automatic choice as an owner ordered them; null: the default order. */
export const connectionListSchema = z.object({
  connections: z.array(connectionSchema).check(z.maxLength(CONNECTIONS_MAX + fixedSlugs.length)),
  automatic: z.nullable(z.array(z.string()).check(z.maxLength(AUTOMATIC_MODELS_MAX))),
});
export type ConnectionList = z.infer<typeof connectionListSchema>;

/** `isListed`: the server's last list has it; others were entered by hand, or are gone. */
export const connectionModelSchema = z.object({
  name: z.string(),
  value: z.string(),
  facts: modelFactsSchema,
  overrides: modelOverridesSchema,
  isListed: z.boolean(),
  isOffered: z.boolean(),
});
export type ConnectionModel = z.infer<typeof connectionModelSchema>;

export const connectionModelsSchema = z.object({
  models: z.array(connectionModelSchema).check(z.maxLength(CONNECTION_MODELS_MAX)),
});

/** Name of a model at its server, as an owner enters it. */
export const modelNameField = () =>
  z
    .string(invalid)
    .check(
      z.trim(),
      z.minLength(1, { error: rule("required") }),
      z.maxLength(MODEL_NAME_MAX, invalid),
      z.overwrite(wellFormed),
    );

/**
 * Changes of models by their names; a name that the list lacks is added. `overrides`: replace the earlier ones; null
 * removes them. `isOffered`: for `offer: "chosen"`. `isRemoved`: forgets a name that was entered by hand.
 */
export const changeModelsSchema = z.object({
  changes: z
    .array(
      z.object({
        name: modelNameField(),
        overrides: z.optional(z.nullable(modelOverridesSchema)),
        isOffered: z.optional(z.boolean()),
        isRemoved: z.optional(z.literal(true)),
      }),
    )
    .check(z.maxLength(CONNECTION_MODELS_MAX)),
});
export type ModelChanges = z.infer<typeof changeModelsSchema>;

/** Order of the stored connections by their slugs. Providers without an entry follow. */
export const connectionOrderSchema = z.object({
  slugs: z.array(looseText(SLUG_MAX)).check(z.maxLength(CONNECTIONS_MAX)),
});

/** Order of automatic choice; null: the default. */
export const automaticModelsSchema = z.object({
  values: z.nullable(z.array(looseText(MODEL_NAME_MAX + SLUG_MAX + 1)).check(z.maxLength(AUTOMATIC_MODELS_MAX))),
});

/** Uses of the models of a connection, which lose them with it. `groups`: names of groups that name one. */
export const connectionUsesSchema = z.object({
  presets: z.int(),
  groups: z.array(z.string()).check(z.maxLength(200)),
  isAutomatic: z.boolean(),
});
export type ConnectionUses = z.infer<typeof connectionUsesSchema>;
