import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { DAY, HOUR, SECOND } from "#contract/limits.ts";
import { API_BASE, paths } from "#contract/paths.ts";
import { deriveKey } from "../../server/secret-key.ts";
import { forgeries } from "../attacks/access-tokens.ts";
import { commonSecrets } from "../attacks/common-secrets.ts";
import { malformedCredentials } from "../attacks/credentials.ts";
import { inBatches } from "../clients/in-batches.ts";
import { newToken, type Person, signUp } from "../clients/person.ts";
import { sendRaw, statusesIn } from "../clients/raw.ts";
import type { Ground, Part } from "../part.ts";
import { type Site, startSite } from "../site.ts";

const SECRET_KEY = "n0Jt7yQmW3vKc5RzXb1dPf8sLh2GaEuV";
const ME = API_BASE + paths.me;

/** E1–E3, E5–E7, E9: what a token is, and what it is not. */
export const tokens: Part = {
  name: "tokens",
  async run(ground) {
    await using site = await ground.startSite({ env: { SECRET_KEY } });
    // Names that no random part of a token holds by chance.
    const ada = await signUp(site, { firstname: "Zuleikha", lastname: "Quixote" });
    await tryForgeries(ground, site, ada);
    await tryCredentials(ground, site, ada);
    await trySecrets(ground);
    await tryContent(ground, site, ada);
    await tryLives(ground, site);
  },
};

async function tryForgeries({ report }: Ground, site: Site, { token }: Person): Promise<void> {
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
    trial.expect(status === 200 && site.server.pid === pid, "the good token is taken, by the same process");
  });
  await report.try("E2", "tokens signed with common secrets", async (trial) => {
    await inBatches(common, async (forgery) => {
      const { status } = await site.send({ path: ME, token: forgery.token });
      trial.expect(status === 401, () => `${forgery.name} answered ${status}`);
    });
  });
}

async function tryCredentials({ report }: Ground, site: Site, { token }: Person): Promise<void> {
  const { pid } = site.server;
  await report.try("E7", "malformed Authorization headers", async (trial) => {
    for (const value of malformedCredentials(token)) {
      // As bytes: a client library would mend or refuse some of them.
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
    trial.expect(site.server.pid === pid, "the process lives");
  });
  await report.try("E6", "a good token anywhere but in the header", async (trial) => {
    const query = ["token", "access_token", "accessToken", "auth", "authorization", "jwt", "api_key", "key", "bearer"];
    const places = [
      ...query.map((name) => ({ path: `${ME}?${name}=${token}` })),
      ...["token", "access_token", "Authorization", "jwt", "session"].map((name) => ({
        path: ME,
        headers: { cookie: `${name}=${token}` },
      })),
      ...["x-api-key", "x-access-token", "x-auth-token", "x-authorization", "proxy-authorization", "x-token"].map(
        (name) => ({ path: ME, headers: { [name]: `Bearer ${token}` } }),
      ),
    ];
    for (const place of places) {
      const { status } = await site.send(place);
      trial.expect(status === 401, () => `${JSON.stringify(place).slice(0, 60)} answered ${status}`);
    }
    const logs = await site.logs();
    trial.expect(!logs.includes(token), "the token is in the log");
  });
}

async function trySecrets({ report, isShort }: Ground): Promise<void> {
  await report.try("E2", "a secret of its own at each install, for its owner's eyes only", async (trial) => {
    const made = await Promise.all([startSite(), startSite()]);
    try {
      const keys = await Promise.all(
        made.map(async ({ dataDir }) => {
          const file = join(dataDir, "secret-key");
          const { mode } = await stat(file);
          trial.expect((mode & 0o777) === 0o600, `mode ${(mode & 0o777).toString(8)}`);
          return readFile(file, "utf8");
        }),
      );
      for (const key of keys) trial.expect(Buffer.from(key, "base64url").length >= 32, "at least 32 bytes");
      trial.expect(keys[0] !== keys[1], "two installs have two secrets");
    } finally {
      await Promise.all(made.map((site) => site[Symbol.asyncDispose]()));
    }
  });
  await report.try("E2", "weak and placeholder secrets stop the start, with a clear word", async (trial) => {
    const weak = [
      "short",
      "a".repeat(40),
      "changeme".repeat(5),
      "secret-secret-secret-secret-secret",
      "your-secret-key-goes-here-please!!",
      ...commonSecrets.filter((one) => one.trim() !== "" && !one.includes("\0")),
    ];
    for (const SECRET of isShort ? weak.slice(0, 3) : weak.slice(0, 25)) {
      const told = await startSite({ env: { SECRET_KEY: SECRET } }).then(
        async (site) => {
          await site[Symbol.asyncDispose]();
          return "it started";
        },
        (error: unknown) => String(error),
      );
      trial.expect(/ended \(2\)/.test(told) && /SECRET_KEY/.test(told), () => `${SECRET}: ${told.slice(0, 200)}`);
      trial.expect(!told.includes(SECRET) || SECRET.length < 8, () => `${SECRET} is shown`);
    }
  });
}

async function tryContent({ report }: Ground, site: Site, ada: Person): Promise<void> {
  await report.try("E9", "tokens of one account: each another, none tells who it is", async (trial) => {
    const all = [ada.token];
    for (let times = 0; times < 10; times++) all.push(await newToken(site, ada));
    trial.expect(new Set(all).size === all.length, "each is another one");
    for (const token of all) {
      const claims = Buffer.from(token.split(".")[1] ?? "", "base64url")
        .toString("utf8")
        .toLowerCase();
      const told = [ada.username, ada.email, ada.user.firstname, ada.user.lastname].filter((one) =>
        claims.includes(one.toLowerCase()),
      );
      trial.expect(told.length === 0, () => `it tells ${told.join(", ")}`);
    }
  });
  await report.try("E5", "no answer to a sign-in holds a second token, no route takes one", async (trial) => {
    const { text } = await site.send({ method: "POST", path: API_BASE + paths.login, body: ada });
    const names = Object.keys(JSON.parse(text)).filter((name) => name !== "access_token");
    trial.expect(
      names.every((name) => ["user", "emailVerified", "isKept"].includes(name)),
      names.join(", "),
    );
    const description = await site.send({ path: "/api/docs/json" });
    trial.expect(!/refresh/i.test(description.text), "the description speaks of refreshing");
  });
}

async function tryLives({ report }: Ground, site: Site): Promise<void> {
  const lives = [
    ["unused for a second less than 7 days", 7 * DAY - 60 * SECOND, 200],
    ["unused for 7 days", 7 * DAY + SECOND, 401],
    ["a clock an hour behind", -HOUR, 200],
  ] as const;
  await report.try("E3", "sessions by the server's clock", async (trial) => {
    for (const [name, ms, expected] of lives) {
      const person = await signUp(site);
      await site.server.setClock(ms);
      const { status } = await site.send({ path: ME, token: person.token });
      trial.expect(status === expected, () => `${name} answered ${status}`);
      await site.server.setClock(0);
    }
    const person = await signUp(site);
    for (let day = 5; day <= 35; day += 5) {
      await site.server.setClock(day * DAY);
      const { status } = await site.send({ path: ME, token: person.token });
      trial.expect(status === (day < 30 ? 200 : 401), () => `used each 5 days, on day ${day}: ${status}`);
    }
    await site.server.setClock(0);
  });
}
