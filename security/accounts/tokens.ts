import { accountPaths } from "#contract/accounts/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { deriveKey } from "../../server/config/secret-key.ts";
import { sendRaw, statusesIn } from "../../testing/http/send-raw.ts";
import { forgeries } from "../attacks/access-tokens.ts";
import { malformedCredentials } from "../attacks/credentials.ts";
import { inBatches } from "../clients/in-batches.ts";
import { type Person, signUp } from "../clients/person.ts";
import type { Harness, Suite } from "../security-suite.ts";
import type { Site } from "../site.ts";

const SECRET_KEY = "n0Jt7yQmW3vKc5RzXb1dPf8sLh2GaEuV";
const ME = API_BASE + accountPaths.me;

/**
 * E1, E2, E5–E7: forged tokens and credentials. Lifetime and content of a token (E3, E9) are tested in
 * `server/accounts/sign-in/sign-in.test.ts`; the secret of an installation (E2) in `server/config/config.test.ts`,
 * `server/config/data-folder.test.ts` and `server/main.test.ts`.
 */
export const tokens: Suite = {
  name: "tokens",
  async run(harness) {
    await using site = await harness.startSite({ env: { SECRET_KEY } });
    const ada = await signUp(site);
    await tryForgeries(harness, site, ada);
    await tryCredentials(harness, site, ada);
    await tryContent(harness, site, ada);
  },
};

async function tryForgeries({ report }: Harness, site: Site, { token }: Person): Promise<void> {
  const { pid } = site.server;
  const key = deriveKey(SECRET_KEY, "access-token");
  const otherKeys = ["anti-forgery", "email-key", "google-nonce", "limits", ""].map((use) =>
    deriveKey(SECRET_KEY, use),
  );
  const all = forgeries(token, { key, otherKeys, secretKey: SECRET_KEY });
  const common = all.filter(({ name }) => name.startsWith("secret "));
  const attacks = all.filter(({ name }) => !name.startsWith("secret "));
  await report.try("E1", "forged tokens: signature, algorithm, headers, claims, spellings", async (trial) => {
    await inBatches(attacks, async (forgery) => {
      const { status } = await site.send({ path: ME, token: forgery.token });
      trial.expect(status === 401, () => `${forgery.name} answered ${status}: ${forgery.token}`);
    });
    const { status } = await site.send({ path: ME, token });
    trial.expect(status === 200 && site.server.pid === pid, "the valid token is accepted, by the same process");
  });
  await report.try("E2", "tokens signed with common secrets", async (trial) => {
    await inBatches(common, async (forgery) => {
      const { status } = await site.send({ path: ME, token: forgery.token });
      trial.expect(status === 401, () => `${forgery.name} answered ${status}`);
    });
  });
}

async function tryCredentials({ report }: Harness, site: Site, { token }: Person): Promise<void> {
  const { pid } = site.server;
  await report.try("E7", "malformed Authorization headers", async (trial) => {
    for (const value of malformedCredentials(token)) {
      // As raw bytes, because a client library would correct or refuse some of them.
      const lines = [value].flat().map((one) => `Authorization: ${one}\r\n`);
      const request = `GET ${ME} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines.join("")}\r\n`;
      const [status] = statusesIn(await sendRaw(site.url, Buffer.from(request, "latin1")));
      trial.expect(status === 401, () => `${JSON.stringify(value).slice(0, 80)} answered ${status}`);
    }
    const huge = await sendRaw(
      site.url,
      `GET ${ME} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${"a".repeat(65_536)}\r\n\r\n`,
    );
    trial.expect(statusesIn(huge)[0] === 431, () => `64 kB answered ${huge.slice(0, 40)}`);
    trial.expect(site.server.pid === pid, "the process survives");
  });
  await report.try("E6", "a valid token anywhere except in the header", async (trial) => {
    const query = ["token", "access_token", "accessToken", "auth", "authorization", "jwt", "api_key", "key", "bearer"];
    const attempts = [
      ...query.map((name) => ({ path: `${ME}?${name}=${token}` })),
      ...["token", "access_token", "Authorization", "jwt", "session"].map((name) => ({
        path: ME,
        headers: { cookie: `${name}=${token}` },
      })),
      ...["x-api-key", "x-access-token", "x-auth-token", "x-authorization", "proxy-authorization", "x-token"].map(
        (name) => ({ path: ME, headers: { [name]: `Bearer ${token}` } }),
      ),
    ];
    for (const attempt of attempts) {
      const { status } = await site.send(attempt);
      trial.expect(status === 401, () => `${JSON.stringify(attempt).slice(0, 60)} answered ${status}`);
    }
    const logs = await site.logs();
    trial.expect(!logs.includes(token), "the token is in the log");
  });
}

async function tryContent({ report }: Harness, site: Site, ada: Person): Promise<void> {
  await report.try("E5", "no response to a sign-in contains a second token, no route accepts one", async (trial) => {
    const { text } = await site.send({ method: "POST", path: API_BASE + accountPaths.login, body: ada });
    const names = Object.keys(JSON.parse(text)).filter((name) => name !== "access_token");
    trial.expect(
      names.every((name) => ["user", "emailVerified", "isKept"].includes(name)),
      names.join(", "),
    );
    const description = await site.send({ path: "/api/docs/json" });
    trial.expect(!/refresh/i.test(description.text), "the API description mentions refreshing");
  });
}
