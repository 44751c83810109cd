import {
  type Connection,
  type ConnectionChange,
  type ConnectionList,
  type ConnectionModel,
  connectionListSchema,
  connectionModelsSchema,
  connectionSchema,
  type ModelChanges,
  type NewConnection,
} from "#contract/administration/connections.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { chatSchema } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { type ModelGroup, modelListSchema } from "#contract/models/models.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { findConnection, insertConnection } from "../../server/connections/connection-store.ts";
import { newId } from "../../server/database/new-id.ts";
import type { TestApp } from "../app/start-test-app.ts";
import { problemOf } from "../http/problem-of.ts";
import type { TestAccount } from "./sign-up.ts";

/** Inserts a disabled connection without a record, unless it is there. @returns its slug */
export async function insertTestConnection({ context }: TestApp): Promise<string> {
  const slug = "INSERTED";
  if (await findConnection(context.database, slug)) return slug;
  const at = context.clock.now();
  await insertConnection(context.database, {
    id: newId(),
    slug,
    name: slug,
    kind: "openai",
    base_url: "http://127.0.0.1:9/v1",
    key_encrypted: null,
    headers_encrypted: null,
    settings: "{}",
    position: 0,
    is_enabled: 0,
    created_at: at,
    updated_at: at,
  });
  return slug;
}

/** Calls of an owner to the routes of connections; each throws if the server refuses. */
export class OwnerOfConnections {
  readonly #app: TestApp;
  readonly #token: string;

  constructor(app: TestApp, { token }: TestAccount) {
    this.#app = app;
    this.#token = token;
  }

  async create(body: NewConnection): Promise<Connection> {
    return connectionSchema.parse(await this.#call("POST", administrationPaths.connections, body));
  }

  async change(slug: string, body: ConnectionChange): Promise<Connection> {
    return connectionSchema.parse(await this.#call("PATCH", administrationPaths.connection(slug), body));
  }

  async remove(slug: string): Promise<void> {
    await this.#call("DELETE", administrationPaths.connection(slug));
  }

  async list(): Promise<ConnectionList> {
    return connectionListSchema.parse(await this.#call("GET", administrationPaths.connections));
  }

  async refresh(slug: string): Promise<Connection> {
    return connectionSchema.parse(await this.#call("POST", administrationPaths.connectionList(slug)));
  }

  async models(slug: string): Promise<ConnectionModel[]> {
    return connectionModelsSchema.parse(await this.#call("GET", administrationPaths.connectionModels(slug))).models;
  }

  async changeModels(slug: string, changes: ModelChanges["changes"]): Promise<ConnectionModel[]> {
    const answer = await this.#call("PATCH", administrationPaths.connectionModels(slug), { changes });
    return connectionModelsSchema.parse(answer).models;
  }

  async order(slugs: string[]): Promise<void> {
    await this.#call("PUT", administrationPaths.connectionOrder, { slugs });
  }

  async orderAutomatic(values: string[] | null): Promise<void> {
    await this.#call("PUT", administrationPaths.automaticModels, { values });
  }

  /** Returns the models that people choose from. */
  async choices(): Promise<ModelGroup[]> {
    return modelListSchema.parse(await this.#call("GET", modelPaths.models));
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await this.#app.call(method, path, { token: this.#token, ...(body && { body }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }
}

/** Sends a question in a new chat. @returns model and text of its answer, or status and code of its refusal */
export async function askModel(
  app: TestApp,
  { token }: TestAccount,
  model: string | undefined,
): Promise<(string | number | null | undefined)[]> {
  const chat = chatSchema.parse(await (await app.call("POST", conversationPaths.chats, { token })).json());
  const body = { message: "Hello", ...(model !== undefined && { model }) };
  const response = await app.call("POST", conversationPaths.chatSend(chat.id), { token, body });
  if (!response.ok) return [response.status, (await problemOf(response)).code];
  await response.text();
  const { messages } = chatSchema.parse(
    await (await app.call("GET", conversationPaths.chat(chat.id), { token })).json(),
  );
  const answer = messages.at(-1);
  return [answer?.model, answer?.content];
}
