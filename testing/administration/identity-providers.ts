import {
  type AdministeredProvider,
  administeredProviderSchema,
  administeredProvidersSchema,
  defaultProviderSettings,
  type IdentityProviderChange,
  type IdentityProviderCheck,
  type IdentityProviderCheckRequest,
  identityProviderCheckSchema,
  type NewIdentityProvider,
} from "#contract/administration/identity-providers.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { findIdentityProvider, insertIdentityProvider } from "../../server/accounts/sso/identity-provider-store.ts";
import { newId } from "../../server/database/new-id.ts";
import type { TestApp } from "../app/start-test-app.ts";

/** Inserts a disabled provider without a record, unless it is there. @returns its slug */
export async function insertTestProvider({ context }: TestApp): Promise<string> {
  const slug = "inserted";
  if (await findIdentityProvider(context.database, slug)) return slug;
  const at = context.clock.now();
  await insertIdentityProvider(context.database, {
    id: newId(),
    slug,
    name: slug,
    issuer: "http://127.0.0.1:9/inserted",
    client_id: "parley",
    secret_encrypted: null,
    settings: JSON.stringify(defaultProviderSettings),
    position: 0,
    is_enabled: 0,
    created_at: at,
    updated_at: at,
  });
  return slug;
}

type Person = { user: { id: string; email: string } };

/** Connects an account with an identity, without a sign-in. @returns the id of the identity */
export async function insertTestIdentity({ context }: TestApp, { user }: Person, issuer: string): Promise<string> {
  const row = { id: newId(), issuer, subject: newId(), user_id: user.id, label: user.email };
  await context.database
    .insertInto("external_identities")
    .values({ ...row, created_at: 1, last_used_at: 2 })
    .execute();
  return row.id;
}

/** Calls of an owner to the routes of identity providers; each throws if the server refuses. */
export class OwnerOfProviders {
  readonly #app: TestApp;
  readonly #token: string;

  constructor(app: TestApp, { token }: { token: string }) {
    this.#app = app;
    this.#token = token;
  }

  async list(): Promise<AdministeredProvider[]> {
    const answer = await this.#call("GET", administrationPaths.identityProviders);
    return administeredProvidersSchema.parse(answer).providers;
  }

  async add(body: NewIdentityProvider): Promise<AdministeredProvider> {
    return administeredProviderSchema.parse(await this.#call("POST", administrationPaths.identityProviders, body));
  }

  async change(slug: string, body: IdentityProviderChange): Promise<AdministeredProvider> {
    const path = administrationPaths.identityProvider(slug);
    return administeredProviderSchema.parse(await this.#call("PATCH", path, body));
  }

  async remove(slug: string): Promise<void> {
    await this.#call("DELETE", administrationPaths.identityProvider(slug));
  }

  async order(slugs: string[]): Promise<void> {
    await this.#call("PUT", administrationPaths.identityProviderOrder, { slugs });
  }

  async check(request: IdentityProviderCheckRequest): Promise<IdentityProviderCheck> {
    const answer = await this.#call("POST", administrationPaths.identityProviderCheck, request);
    return identityProviderCheckSchema.parse(answer);
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await this.#app.call(method, path, { token: this.#token, ...(body && { body }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }
}
