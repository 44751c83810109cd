import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { ANTI_FORGERY_COOKIE, ANTI_FORGERY_HEADER } from "#contract/http.ts";
import type { TestApp } from "../app/start-test-app.ts";

/** A server, in this process or another. */
export type CalledApp = Pick<TestApp, "url" | "call">;

/** Calls the API like a page in a browser: sends an Origin header and stores cookies. */
export class TestBrowser {
  readonly app: CalledApp;
  readonly cookies = new Map<string, string>();
  /** Headers of every request. */
  readonly headers: Record<string, string>;
  /** Access token after a sign-in. */
  token: string | undefined;

  constructor(app: CalledApp, headers: Record<string, string> = {}) {
    this.app = app;
    this.headers = headers;
  }

  get antiForgery(): string {
    return this.cookies.get(ANTI_FORGERY_COOKIE) ?? this.cookies.get(`__Host-${ANTI_FORGERY_COOKIE}`) ?? "";
  }

  /** Gets an anti-forgery token if there is none yet, and calls. */
  async call(method: string, path: string, body?: unknown): Promise<Response> {
    if (this.antiForgery === "") await this.#send("GET", accountPaths.authConfig, undefined);
    return this.#send(method, path, body);
  }

  /** Signs in by password; later calls use the session. */
  async signIn(username: string, password: string): Promise<Response> {
    const response = await this.call("POST", accountPaths.login, { username, password });
    if (response.ok) this.token = signedInSchema.parse(await response.clone().json()).access_token;
    return response;
  }

  async #send(method: string, path: string, body: unknown): Promise<Response> {
    const response = await this.app.call(method, path, {
      ...(body !== undefined && { body }),
      ...(this.token !== undefined && { token: this.token }),
      headers: {
        origin: this.app.url,
        "sec-fetch-site": "same-origin",
        cookie: [...this.cookies].map((pair) => pair.join("=")).join("; "),
        [ANTI_FORGERY_HEADER]: this.antiForgery,
        ...this.headers,
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    return response;
  }
}
