import { accountPaths } from "#contract/accounts/paths.ts";
import { ANTI_FORGERY_COOKIE, ANTI_FORGERY_HEADER, API_BASE } from "#contract/http.ts";
import { type Answer, type OutgoingRequest, send } from "../../testing/http/send.ts";
import type { Site } from "../site.ts";

/** Sends requests like a browser: with Origin, cookies and the page's anti-forgery token. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #site: Site;
  readonly #origin: string;

  constructor(site: Site, origin = "http://127.0.0.1:3000") {
    this.#site = site;
    this.#origin = origin;
  }

  /** Loads the first page's configuration, which sets the cookies. */
  async open(): Promise<Answer> {
    return this.send({ path: API_BASE + accountPaths.authConfig });
  }

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  get antiForgery(): string {
    return this.cookies.get(ANTI_FORGERY_COOKIE) ?? this.cookies.get(`__Host-${ANTI_FORGERY_COOKIE}`) ?? "";
  }

  /** Headers of a same-origin request. */
  headers(): Record<string, string> {
    return {
      origin: this.#origin,
      "sec-fetch-site": "same-origin",
      ...(this.cookies.size > 0 && { cookie: this.cookieHeader }),
      ...(this.antiForgery && { [ANTI_FORGERY_HEADER]: this.antiForgery }),
    };
  }

  async send(sending: OutgoingRequest): Promise<Answer> {
    const headers = { ...this.headers(), ...sending.headers };
    const answer = await send(this.#site.url, { ...sending, headers });
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }
}
