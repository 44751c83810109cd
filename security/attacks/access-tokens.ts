import { createHmac, createPrivateKey, generateKeyPairSync, sign as signBytes } from "node:crypto";
import { commonSecrets } from "../../testing/app/common-secrets.ts";

export type Forgery = { name: string; token: string };

type Json = Record<string, unknown>;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const decode = (part: string): Json => JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Keys for forgeries. `key`: the server's own key, so that a token signed with it is refused for its content. */
export type Signing = { key: Uint8Array; otherKeys: readonly Uint8Array[]; secretKey: string };

/** Derives every kind of forged token from a valid one. */
export function forgeries(token: string, { key, otherKeys, secretKey }: Signing): Forgery[] {
  const [head = "", body = "", signature = ""] = token.split(".");
  const [header, claims] = [decode(head), decode(body)];
  const raw = (headText: string, bodyText: string, secret: Uint8Array = key, hash = "sha256") => {
    const signed = `${headText}.${bodyText}`;
    return `${signed}.${createHmac(hash, secret).update(signed).digest("base64url")}`;
  };
  const sign = (payload: unknown, given: unknown = header, secret: Uint8Array = key) =>
    raw(encode(given), encode(payload), secret);
  const withSecret = (text: string) => sign(claims, header, new TextEncoder().encode(text));
  return [
    ...changedCharacters(token),
    ...spellings(token, signature),
    ...serialisations(head, body, signature),
    ...algorithms({ header, claims, sign, raw, head, body, signature, key }),
    ...pointers(header, claims, sign),
    ...claimChanges(claims).map((change) => ({
      name: `claims ${JSON.stringify(change)}`,
      token: sign({ ...claims, ...change }),
    })),
    ...duplicates(claims).map((text) => ({ name: `claims ${text.slice(0, 60)}`, token: rawClaims(text) })),
    ...["null", "[]", "1", '"x"', "{", "", "true", `[${JSON.stringify(claims)}]`].map((text) => ({
      name: `payload ${text.slice(0, 20)}`,
      token: rawClaims(text),
    })),
    ...otherKeys.map((other, index) => ({
      name: `key of another purpose ${index}`,
      token: sign(claims, header, other),
    })),
    ...commonSecrets.map((secret) => ({ name: `secret ${secret}`, token: withSecret(secret) })),
    { name: "the secret itself", token: withSecret(secretKey) },
  ];

  function rawClaims(text: string): string {
    return raw(head, Buffer.from(text).toString("base64url"));
  }
}

function changedCharacters(token: string): Forgery[] {
  return [...token].map((character, at) => ({
    name: `character ${at}`,
    token: token.slice(0, at) + (character === "A" ? "B" : "A") + token.slice(at + 1),
  }));
}

/** Alternative spellings: unused bits of the last base64url character, and characters that some decoders skip. */
function spellings(token: string, signature: string): Forgery[] {
  const last = [...ALPHABET].filter((character) => character !== token.at(-1));
  const standard = signature.replaceAll("-", "+").replaceAll("_", "/");
  const start = token.slice(0, token.length - signature.length);
  return [
    ...last.map((character) => token.slice(0, -1) + character),
    ...["=", "==", "===", ".", "A", "AA", "%3D", "%00"].map((tail) => token + tail),
    `.${token}`,
    `=${token}`,
    token.replaceAll(".", "=."),
    token.slice(0, -1),
    token.slice(1),
    start,
    `${start}A`,
    ...(standard === signature ? [] : [start + standard]),
    start + Buffer.from(signature, "base64url").toString("hex"),
    start + Buffer.from(signature).toString("base64url"),
    token.toLowerCase(),
    token.toUpperCase(),
  ].map((spelling) => ({ name: `spelling …${spelling.slice(-12)}`, token: spelling }));
}

function serialisations(head: string, body: string, signature: string): Forgery[] {
  const flat = JSON.stringify({ protected: head, payload: body, signature });
  const general = JSON.stringify({ payload: body, signatures: [{ protected: head, signature }] });
  return [flat, general, Buffer.from(flat).toString("base64url"), `${head}.${body}`, "a.b.c", "..", ".", "....."].map(
    (text) => ({ name: `serialisation ${text.slice(0, 12)}`, token: text }),
  );
}

type Making = {
  header: Json;
  claims: Json;
  head: string;
  body: string;
  signature: string;
  key: Uint8Array;
  sign: (payload: unknown, given?: unknown, secret?: Uint8Array) => string;
  raw: (head: string, body: string, secret?: Uint8Array, hash?: string) => string;
};

function algorithms({ header, claims, sign, raw, body, signature, key }: Making): Forgery[] {
  const unsigned = ["none", "None", "NONE", "nOnE", "", null, 0, false, [], {}, "null", " none"].flatMap((alg) => {
    const changed = encode({ ...header, alg });
    return [`${changed}.${body}.`, `${changed}.${body}.${signature}`, sign(claims, { ...header, alg })];
  });
  const hashes = { HS384: "sha384", HS512: "sha512", HS1: "sha1", HS224: "sha224" };
  const otherHashes = Object.entries(hashes).flatMap(([alg, hash]) =>
    [key, Buffer.concat([key, key])].map((secret) => raw(encode({ ...header, alg }), body, secret, hash)),
  );
  const named = [
    "RS256",
    "ES256",
    "PS256",
    "EdDSA",
    "ES256K",
    "HS256 ",
    "hs256",
    "A128KW",
    "dir",
    "PBES2-HS256+A128KW",
  ];
  return [
    ...unsigned,
    ...otherHashes,
    raw(encode(header), body, undefined, "sha512"),
    `${encode({ alg: "none" })}.${body}.`,
    ...named.map((alg) => sign(claims, { ...header, alg })),
    ...asymmetric(header, body),
    ...encrypted(header, claims),
  ].map((token, index) => ({ name: `algorithm ${index}`, token }));
}

/** Tokens with valid signatures by asymmetric keys that are not the server's. */
function asymmetric(header: Json, body: string): string[] {
  const kinds = [
    ["RS256", generateKeyPairSync("rsa", { modulusLength: 2048 })],
    ["ES256", generateKeyPairSync("ec", { namedCurve: "P-256" })],
    ["EdDSA", generateKeyPairSync("ed25519")],
  ] as const;
  return kinds.flatMap(([alg, { privateKey, publicKey }]) => {
    const jwk = publicKey.export({ format: "jwk" });
    return [{}, { jwk }].map((more) => {
      const signed = `${encode({ ...header, alg, ...more })}.${body}`;
      const pem = createPrivateKey(privateKey.export({ format: "pem", type: "pkcs8" }));
      const bytes = signBytes(alg === "EdDSA" ? null : "sha256", Buffer.from(signed), pem);
      return `${signed}.${bytes.toString("base64url")}`;
    });
  });
}

/** Encrypted tokens (five parts) instead of signed ones. */
function encrypted(header: Json, claims: Json): string[] {
  const parts = (alg: string) =>
    [encode({ ...header, alg, enc: "A256GCM" }), "", "AAAA", encode(claims), "AAAA"].join(".");
  return ["dir", "A256KW", "RSA-OAEP", "PBES2-HS256+A128KW"].map(parts);
}

function pointers(header: Json, claims: Json, sign: Making["sign"]): Forgery[] {
  const secret = new TextEncoder().encode("attacker");
  const jwk = { kty: "oct", k: Buffer.from(secret).toString("base64url"), alg: "HS256" };
  const heads: Json[] = [
    { jwk },
    { jku: "http://127.0.0.1:1/keys" },
    { jku: "https://attacker.example/keys" },
    { x5u: "https://attacker.example/cert" },
    { x5c: ["MIIB"] },
    { x5t: "AAAA" },
    {
      jwk,
      jku: "http://127.0.0.1:1/keys",
      x5u: "http://127.0.0.1:1/cert",
      x5c: ["MIIB"],
      kid: "../../dev/null' or 1=1",
    },
    ...[
      "../../../../dev/null",
      "/dev/null",
      "' UNION SELECT 'attacker' --",
      "| cat /etc/passwd",
      "\0",
      "",
      0,
      null,
    ].map((kid) => ({ kid })),
  ];
  const empty = new Uint8Array();
  return [
    ...heads.flatMap((more) => [
      sign(claims, { ...header, ...more }, secret),
      sign(claims, { ...header, ...more }, empty),
    ]),
    ...[
      { typ: "JWT" },
      { typ: undefined },
      { typ: "verify-email" },
      { typ: "at+jwt " },
      { crit: ["exp"], exp: 1 },
      { crit: ["b64"], b64: false },
      { crit: [] },
      { crit: ["attacker"] },
      { crit: "exp" },
      { zip: "DEF", crit: ["zip"] },
    ].map((more) => sign(claims, { ...header, ...more })),
    ...[null, [], 1, "x", { alg: "HS256" }, {}].map((head) => sign(claims, head)),
  ].map((token, index) => ({ name: `header ${index}`, token }));
}

function claimChanges(claims: Json): Json[] {
  const now = Math.floor(Date.now() / 1000);
  const other = "018f2c5e-0000-7000-8000-000000000000";
  return [
    ...["iss", "aud", "sub", "sid", "exp", "iat"].flatMap((name) => [
      { [name]: undefined },
      ...[null, "", [], {}, true, "\0"].map((value) => ({ [name]: value })),
    ]),
    ...[String(now + 100), now + 100.5, -1, 0, now - 1, now - 61, "never", [now + 100], 1e-7].map((exp) => ({ exp })),
    ...[String(now), now + 0.5, "now"].map((iat) => ({ iat })),
    ...[now + 1000, String(now), []].map((nbf) => ({ nbf })),
    ...["https://accounts.google.com", "Parley", "parley ", ["parley"]].map((iss) => ({ iss })),
    ...["parley-mail", "parley", "", ["other"]].map((aud) => ({ aud })),
    ...[1, [claims.sub], "' or 1=1", other, String(claims.sub).toUpperCase(), `${claims.sub} `, { $ne: "" }].map(
      (sub) => ({ sub }),
    ),
    ...[1, [claims.sid], "' or 1=1", other, String(claims.sid).toUpperCase(), claims.sub, { "!=": "" }].map((sid) => ({
      sid,
    })),
  ];
}

/** Duplicate claims, of which two parsers may read different ones. */
function duplicates(claims: Json): string[] {
  const text = JSON.stringify(claims).slice(1, -1);
  const other = '"018f2c5e-0000-7000-8000-000000000000"';
  return [`{${text},"sub":${other}}`, `{${text},"sid":${other}}`, `{${text},"exp":1}`, `{${text},"exp":"1e99"}`];
}
