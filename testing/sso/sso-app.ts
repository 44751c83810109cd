import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { type SsoAnswer, type SsoPurpose, ssoAttemptSchema } from "#contract/accounts/single-sign-on.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../app/start-test-app.ts";
import { type CalledApp, TestBrowser } from "../http/test-browser.ts";
import { type OidcPerson, type OidcServer, OidcVisitor, startOidcServer } from "./oidc-server.ts";

export const SSO_PUBLIC_URL = "https://chat.example.org";

/** A server whose people sign in by a provider with OpenID Connect. */
export type SsoApp = AsyncDisposable & { app: TestApp; oidc: OidcServer };

/** Starts both; disposing ends the app before its provider. */
export async function startSsoApp({ env = {}, ...options }: TestAppOptions = {}): Promise<SsoApp> {
  await using opened = new AsyncDisposableStack();
  const oidc = opened.use(await startOidcServer());
  const app = opened.use(await startTestApp({ ...options, env: { ...oidc.env, PUBLIC_URL: SSO_PUBLIC_URL, ...env } }));
  await oidc.serve({ publicUrl: SSO_PUBLIC_URL, address: app.url });
  const resources = opened.move();
  return { app, oidc, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

let people = 0;

/** A person of the provider that no other test uses. Claims that are `undefined` are left out. */
export function newOidcPerson(claims: Record<string, unknown> = {}): OidcPerson {
  const number = ++people;
  const email = `person${number}@example.org`;
  return { sub: `subject-${number}`, email, email_verified: true, name: "Ada Lovelace", ...claims };
}

/** A person with a browser at Parley, and a session of that browser at the provider. */
export class SsoBrowser extends TestBrowser {
  readonly visitor = new OidcVisitor();

  constructor({ app, oidc }: { app: CalledApp; oidc: OidcServer }, person: OidcPerson) {
    super(app, { origin: SSO_PUBLIC_URL });
    this.oidc = oidc;
    this.person = person;
  }

  readonly oidc: OidcServer;
  readonly person: OidcPerson;

  /** Begins an attempt and signs in at the provider. @returns the answer that the provider sends the browser with */
  async visit(purpose: SsoPurpose = "sign-in", provider = "oidc"): Promise<SsoAnswer> {
    const begun = await this.call("POST", accountPaths.ssoAttempts, { provider, purpose });
    if (!begun.ok) throw new Error(`The attempt answered ${begun.status}: ${await begun.text()}`);
    const { url } = ssoAttemptSchema.parse(await begun.json());
    return this.answerAt(url, provider);
  }

  /** Signs in at the provider at an address of an attempt. */
  async answerAt(url: string, provider = "oidc"): Promise<SsoAnswer> {
    this.oidc.person = this.person;
    const { searchParams } = await this.visitor.follow(url);
    const iss = searchParams.get("iss");
    return {
      provider,
      code: searchParams.get("code") ?? "",
      state: searchParams.get("state") ?? "",
      ...(iss !== null && { iss }),
    };
  }

  /** Posts an answer as a sign-in; later calls use its session. */
  async postSignIn(sso: SsoAnswer, invitation?: string): Promise<Response> {
    const response = await this.call("POST", accountPaths.sso, {
      sso,
      ...(invitation !== undefined && { invitation }),
    });
    if (response.ok) this.token = signedInSchema.parse(await response.clone().json()).access_token;
    return response;
  }

  /** Signs in at the provider, and here. */
  async signInBySso(invitation?: string): Promise<Response> {
    return this.postSignIn(await this.visit(), invitation);
  }
}
