import { SECOND } from "#contract/limits.ts";
import type { Clock } from "../../concurrency/clock.ts";
import type { SecretCipher } from "../../config/secret-cipher.ts";
import { newId } from "../../database/new-id.ts";
import type { Database } from "../../database/schema.ts";
import type { McpClientRow } from "../../database/tables/mcp-tables.ts";
import { decryptMcpSecret, encryptMcpSecret } from "../mcp-secrets.ts";
import type { OauthClients } from "./attempt-provider.ts";
import { deleteClient, findClientRow, insertClient } from "./oauth-store.ts";
import { type OauthClientBody, oauthClientBodySchema } from "./sign-in-bodies.ts";

/** Associated data of a client: its row and its issuer. */
export const clientSecretId = ({ id, issuer }: Pick<McpClientRow, "id" | "issuer">): string => `${id} ${issuer}`;

type RegisteredClientsDeps = { database: Database; cipher: SecretCipher; clock: Clock; redirectUrl: string };

/** The clients of this installation at authorisation servers where it had to register. */
export class RegisteredClients implements OauthClients {
  readonly #deps: RegisteredClientsDeps;

  constructor(deps: RegisteredClientsDeps) {
    this.#deps = deps;
  }

  /** Returns the client at an issuer, unless it was registered for another address of ours or its secret has expired. */
  async find(issuer: string): Promise<OauthClientBody | undefined> {
    const { database, cipher, clock, redirectUrl } = this.#deps;
    const row = await findClientRow(database, issuer);
    const opened = row && decryptMcpSecret(cipher, "client", clientSecretId(row), row.client_encrypted);
    if (!opened) return undefined;
    const client = oauthClientBodySchema.safeParse(JSON.parse(opened.text)).data;
    const expiresAt = (client?.client_secret_expires_at ?? 0) * SECOND;
    if (!client?.redirect_uris?.includes(redirectUrl) || (expiresAt > 0 && expiresAt <= clock.now())) return undefined;
    return client;
  }

  async save(issuer: string, client: OauthClientBody): Promise<void> {
    const { database, cipher, clock } = this.#deps;
    const id = newId();
    await insertClient(database, {
      id,
      issuer,
      client_encrypted: encryptMcpSecret(cipher, "client", clientSecretId({ id, issuer }), JSON.stringify(client)),
      created_at: clock.now(),
    });
  }

  /** Deletes the client with an id that its issuer does not know any more, so that the next sign-in registers again. */
  async forget(issuer: string, clientId: string): Promise<void> {
    const { database } = this.#deps;
    const row = await findClientRow(database, issuer);
    if (row && (await this.find(issuer))?.client_id === clientId) await deleteClient(database, row.id);
  }
}
