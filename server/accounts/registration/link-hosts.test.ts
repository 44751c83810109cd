import { describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { filedMailsTo } from "../../../testing/accounts/filed-mails.ts";
import { newPerson, signUp } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp } from "../../../testing/app/start-test-app.ts";
import { EVIL_HOST, hostClaims } from "../../../testing/http/host-claims.ts";
import { send } from "../../../testing/http/send.ts";
import { sendRaw } from "../../../testing/http/send-raw.ts";

const PUBLIC_URL = "https://chat.example.org";

const app = disposeAfterAll(
  await startTestApp({ env: { PUBLIC_URL: `${PUBLIC_URL}/`, TRUST_PROXY: "true", RATE_LIMITS: "off" } }),
);

const post = async (path: string, body: object, headers: Record<string, string> = {}) =>
  (await send(app.url, { method: "POST", path: API_BASE + path, body, headers })).status;

describe("D8 mailed links", () => {
  it.each(hostClaims)(
    "mailed links have the configured host, although a request claims another: %j",
    async (headers) => {
      const person = newPerson();
      expect(await post(accountPaths.register, person, headers)).toBe(201);
      await expectOwnLink(person.email, "verify-email?key=");
      const { body } = await verifiedPerson();
      expect(await post(accountPaths.forgotPassword, body, headers)).toBe(200);
      await expectOwnLink(body.email, "reset-password#key=");
    },
  );

  it("no link is mailed for a cross-site request", async () => {
    const { body } = await verifiedPerson();
    expect(await post(accountPaths.forgotPassword, body, { origin: `http://${EVIL_HOST}` })).toBe(403);
    expect(await filedMailsTo(app, body.email)).toEqual([]);
  });

  it("no link is mailed if the request target is an absolute URL", async () => {
    const { body } = await verifiedPerson();
    const json = JSON.stringify(body);
    const head = [
      `POST http://${EVIL_HOST}${API_BASE}${accountPaths.forgotPassword} HTTP/1.1`,
      `Host: ${EVIL_HOST}`,
      "Content-Type: application/json",
      `Content-Length: ${json.length}`,
      "Connection: close",
    ];
    expect(await sendRaw(app.url, `${head.join("\r\n")}\r\n\r\n${json}`)).toMatch(/^HTTP\/1\.1 400 /);
    expect(await filedMailsTo(app, body.email)).toEqual([]);
  });
});

async function verifiedPerson() {
  const { user } = await signUp(app);
  return { body: { email: user.email } };
}

/**
 * Expects that the newest mail to an address links to a page of the configured host and does not contain the other
 * host.
 */
async function expectOwnLink(address: string, page: string): Promise<void> {
  const mail = (await filedMailsTo(app, address)).at(-1);
  expect(mail?.text).toContain(`${PUBLIC_URL}/${page}`);
  expect(`${mail?.text}${mail?.html}`).not.toContain(EVIL_HOST);
}
