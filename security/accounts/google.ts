import { createHmac, generateKeyPairSync, sign as signBytes } from "node:crypto";
import type { JWTPayload } from "jose";
import { MINUTE } from "#contract/limits.ts";
import { API_BASE, paths } from "#contract/paths.ts";
import { GOOGLE_CLIENT_ID } from "../../testing/key-server.ts";
import { Browser } from "../clients/browser.ts";
import { databaseRows } from "../clients/database-dump.ts";
import { newPerson, register, signIn, signUp } from "../clients/person.ts";
import { type Answer, jsonOf } from "../clients/send.ts";
import type { Ground, Part } from "../part.ts";
import type { Site } from "../site.ts";

const AWAY_MS = 5000;

/** F1–F10, D11. */
export const google: Part = {
  name: "google",
  async run(ground) {
    await using site = await ground.startSite({ hasGoogle: true });
    await trySignatures(ground, site);
    await tryClaims(ground, site);
    await tryNonces(ground, site);
    await tryIdentities(ground, site);
    await tryRivals(ground, site);
    await tryPictures(ground, site);
    await tryOutage(ground, site);
    await tryConfiguration(ground);
  },
};

const post = (site: Site, idToken: unknown): Promise<Answer> =>
  site.send({ method: "POST", path: API_BASE + paths.google, body: { id_token: idToken } });

let subjects = 0;
const newSubject = () => `2000000000${++subjects}`;
const issue = (site: Site, claims: JWTPayload = {}) => {
  const sub = newSubject();
  return site.keys.issueIdToken({ sub, email: `google${sub}@gmail.com`, ...claims });
};
const userOf = (answer: Answer) => jsonOf<{ user: { id: string; email: string } }>(answer).user;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

async function trySignatures({ report }: Ground, site: Site): Promise<void> {
  await report.try("F1", "signatures of others, of none, and of the public key as a secret", async (trial) => {
    const token = await issue(site);
    const [head = "", body = "", signature = ""] = token.split(".");
    const header = JSON.parse(Buffer.from(head, "base64url").toString());
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const signed = `${head}.${body}`;
    const hmac = (secret: string, alg = "HS256") => {
      const text = `${encode({ ...header, alg })}.${body}`;
      return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
    };
    const tampered = JSON.parse(Buffer.from(body, "base64url").toString());
    const forged = [
      `${signed}.${signBytes("sha256", Buffer.from(signed), privateKey).toString("base64url")}`,
      `${head}.${encode({ ...tampered, sub: "1" })}.${signature}`,
      ...["none", "None", "NONE", ""].map((alg) => `${encode({ ...header, alg })}.${body}.`),
      hmac(JSON.stringify(site.keys.publicJwk)),
      hmac(String(site.keys.publicJwk.n)),
      hmac(GOOGLE_CLIENT_ID),
      `${encode({ ...header, kid: "unknown" })}.${body}.${signature}`,
      `${encode({ ...header, kid: undefined })}.${body}.${signature}`,
      `${encode({ ...header, jwk: site.keys.publicJwk })}.${body}.${signature}`,
      `${encode({ ...header, jku: "http://127.0.0.1:1/keys" })}.${body}.${signature}`,
      `${signed}.${signature.slice(1)}`,
      `${signed}.`,
      signed,
      "a.b.c",
      "",
    ];
    for (const one of forged) {
      const { status } = await post(site, one);
      trial.expect(status === 400, () => `${one.slice(0, 60)}…: ${status}`);
    }
    trial.expect((await post(site, token)).status === 200, "the good one is taken");
  });
}

async function tryClaims({ report }: Ground, site: Site): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const refusing: ["F2" | "F3" | "F4" | "F6" | "F7", string, JWTPayload[]][] = [
    [
      "F2",
      "other issuers",
      [
        "https://evil.example",
        "accounts.google.com.evil.example",
        "http://accounts.google.com",
        "https://accounts.google.com/",
        "",
        undefined,
        ["accounts.google.com"],
        null,
      ].map((iss) => ({ iss }) as JWTPayload),
    ],
    [
      "F3",
      "other audiences",
      [
        "other.apps.googleusercontent.com",
        [GOOGLE_CLIENT_ID],
        [GOOGLE_CLIENT_ID, "other"],
        "",
        undefined,
        null,
        ` ${GOOGLE_CLIENT_ID}`,
      ].map((aud) => ({ aud }) as JWTPayload),
    ],
    [
      "F4",
      "tokens of other times",
      [
        { exp: now - 61 },
        { exp: undefined },
        { exp: "9999999999" },
        { iat: now + 120 },
        { iat: undefined },
        { iat: String(now) },
        { nbf: now + 600 },
      ] as unknown as JWTPayload[],
    ],
    [
      "F6",
      "addresses that are not verified",
      [false, "false", "true", undefined, null, 0, 1].map((email_verified) => ({ email_verified })),
    ],
  ];
  for (const [line, tried, cases] of refusing) {
    await report.try(line, tried, async (trial) => {
      for (const claims of cases) {
        const sub = newSubject();
        const email = `refused${sub}@gmail.com`;
        const { status } = await post(site, await issue(site, { sub, email, ...claims }));
        const { users = [] } = await databaseRows(site);
        const isMade = users.some((user) => user.email === email);
        trial.expect(status === 400 && !isMade, () => `${JSON.stringify(claims)}: ${status}`);
      }
    });
  }
  await report.try("F2", "both spellings of Google's name", async (trial) => {
    for (const iss of ["accounts.google.com", "https://accounts.google.com"]) {
      trial.expect((await post(site, await issue(site, { iss }))).status === 200, iss);
    }
  });
}

async function tryNonces({ report }: Ground, site: Site): Promise<void> {
  await report.try("F5", "nonces: none, wrong, of another browser, replayed, lapsed (V17)", async (trial) => {
    const open = async () => {
      const browser = new Browser(site);
      return { browser, nonce: jsonOf<{ googleNonce: string }>(await browser.open()).googleNonce };
    };
    const by = async (browser: Browser, claims: JWTPayload) => {
      const body = { id_token: await issue(site, claims) };
      return (await browser.send({ method: "POST", path: API_BASE + paths.google, body })).status;
    };
    const [one, two] = [await open(), await open()];
    trial.expect((await by(one.browser, {})) === 400, "without a nonce");
    trial.expect((await by(one.browser, { nonce: "wrong" })) === 400, "with a wrong one");
    trial.expect((await by(one.browser, { nonce: "" })) === 400, "with an empty one");
    trial.expect((await by(one.browser, { nonce: two.nonce })) === 400, "with another browser's");
    trial.expect((await by(two.browser, { nonce: two.nonce })) === 200, "with its own");
    const three = await open();
    const token = await issue(site, { nonce: three.nonce });
    const shots = await Promise.all(Array.from({ length: 10 }, () => post(site, token)));
    const taken = shots.filter(({ status }) => status === 200).length;
    trial.expect(taken === 1, `one token was taken ${taken} times of 10 at once`);
    const four = await open();
    await site.server.setClock(11 * MINUTE);
    const late = { nonce: four.nonce, iat: Math.floor(Date.now() / 1000) + 11 * 60 };
    trial.expect((await by(four.browser, late)) !== 200, "a nonce of eleven minutes ago");
    await site.server.setClock(0);
  });
}

async function tryIdentities({ report }: Ground, site: Site): Promise<void> {
  await report.try("F8", "subjects and addresses that change (V18)", async (trial) => {
    const sub = newSubject();
    const first = userOf(await post(site, await issue(site, { sub, email: "first@gmail.com" })));
    const second = userOf(await post(site, await issue(site, { sub, email: "second@gmail.com" })));
    trial.expect(
      first.id === second.id && second.email === first.email,
      "one subject is one account, whatever its address",
    );
    const other = await post(site, await issue(site, { email: "first@gmail.com" }));
    trial.expect(other.status === 409, `another subject with its address: ${other.status}`);
  });
  await report.try("F7", "who may speak for a local account's address", async (trial) => {
    const cases: [string, JWTPayload, number][] = [
      ["person%@example.org", {}, 409],
      ["person%@example.org", { hd: "example.org" }, 200],
      ["person%@example.org", { hd: "" }, 409],
      // Google gives out addresses of other domains of the same customer too.
      ["person%@example.org", { hd: "other.example" }, 200],
      ["person%@gmail.com", {}, 200],
      ["person%@gmail.com.evil.example", {}, 409],
      ["person%@xgmail.com", {}, 409],
    ];
    for (const [pattern, claims, expected] of cases) {
      const email = pattern.replace("%", newSubject());
      const person = await signUp(site, { email });
      const { status, text } = await post(site, await issue(site, { email, ...claims }));
      trial.expect(status === expected, () => `${pattern} ${JSON.stringify(claims)}: ${status} ${text}`);
      if (status === 200) trial.expect(JSON.parse(text).user.id === person.user.id, "it is the same account");
    }
  });
}

async function tryRivals({ report }: Ground, site: Site): Promise<void> {
  await report.try("D11", "an address that a stranger registered first, then Google's owner", async (trial) => {
    const email = `victim${newSubject()}@gmail.com`;
    const attacker = newPerson({ email, password: "password of the attacker" });
    await register(site, attacker);
    const victim = await post(site, await issue(site, { email }));
    trial.expect(victim.status === 200, `the owner: ${victim.status}`);
    const { status } = await signIn(site, attacker);
    trial.expect(status === 401, `the attacker's password afterwards: ${status}`);
    const { email_keys = [], users = [] } = await databaseRows(site);
    const left = users.filter((user) => user.email === email);
    trial.expect(left.length === 1 && left[0]?.password_hash === null, "one account is left, without a password");
    trial.expect(
      !email_keys.some((key) => !users.some(({ id }) => id === key.user_id)),
      "keys of the gone account are left",
    );
  });
}

async function tryPictures({ report }: Ground, site: Site): Promise<void> {
  await report.try("F10", "pictures and names that load or run", async (trial) => {
    const pictures = [
      "http://127.0.0.1:1/x.png",
      "data:image/svg+xml,<svg onload=alert(1)>",
      "javascript:alert(1)",
      "https://evil.example/x.png",
    ];
    for (const picture of pictures) {
      const name = "<img src=x onerror=alert(1)>";
      const { status, text } = await post(
        site,
        await issue(site, { picture, name, given_name: name, family_name: name }),
      );
      const isPlain = !/[<>]|onerror=/.test(text.replaceAll(/"access_token":"[^"]+"/g, "")) && !text.includes(picture);
      trial.expect(status === 200 && isPlain, () => `${picture}: ${status} ${text}`);
    }
    const rows = JSON.stringify(await databaseRows(site));
    trial.expect(!pictures.some((one) => rows.includes(one)) && !rows.includes("onerror="), "the database holds them");
  });
}

async function tryOutage({ report, isShort }: Ground, site: Site): Promise<void> {
  await report.try("F9", "keys that are away or silent, and new ones (R27)", async (trial) => {
    const person = await signUp(site);
    await site.keys.rotate();
    await site.server.setClock(2 * MINUTE);
    const inTime = (claims: JWTPayload = {}) => {
      const sub = newSubject();
      return site.keys.issueIdToken({ sub, email: `google${sub}@gmail.com`, ...claims }, Date.now() + 2 * MINUTE);
    };
    trial.expect((await post(site, await inTime())).status === 200, "a new key is found without a restart");
    const before = site.keys.requests;
    const unknown = (await inTime()).replace(/^[^.]+/, encode({ alg: "RS256", typ: "JWT", kid: "unknown" }));
    for (let times = 0; times < 20; times++) await post(site, unknown);
    trial.expect(site.keys.requests - before <= 1, `${site.keys.requests - before} requests for unknown keys`);
    for (const state of ["down", "silent"] as const) {
      site.keys.state = state;
      await site.keys.rotate();
      await site.server.end("SIGTERM");
      await site.server.start();
      const answering = post(site, await issue(site));
      const signedIn = await signIn(site, person);
      trial.expect(signedIn.status === 200, `${state}: signing in by password answered ${signedIn.status}`);
      const { status, ms } = await answering;
      const isInTime = isShort || ms <= AWAY_MS;
      trial.expect(status === 503 && isInTime, `${state}: Google answered ${status} after ${Math.round(ms)} ms`);
    }
    site.keys.state = "up";
  });
}

async function tryConfiguration(ground: Ground): Promise<void> {
  await ground.report.try("F3", "no client id, or an empty one", async (trial) => {
    for (const env of [{}, { GOOGLE_CLIENT_ID: "" }]) {
      await using site = await ground.startSite({ env });
      for (const aud of ["", undefined, GOOGLE_CLIENT_ID]) {
        const { status } = await post(site, await issue(site, { aud } as JWTPayload));
        trial.expect(status === 404, `audience ${aud}: ${status}`);
      }
    }
  });
}
