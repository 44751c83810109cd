import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/**
 * Checks signatures of requests, written from the specification and not from the client's library:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */

/** A request as it arrived. `target`: path and query, percent-encoded; `headers`: with names in lower case. */
export type SignedRequest = { method: string; target: string; headers: Readonly<Record<string, string | undefined>> };

export type SigningKeys = { accessKeyId: string; secretAccessKey: string; region: string };

/** Codes of S3 for requests that are not let in, with their status. */
export type SignatureProblem = { status: number; code: string };

const ALGORITHM = "AWS4-HMAC-SHA256";
const UNSIGNED = "UNSIGNED-PAYLOAD";
const MAX_SKEW_MS = 15 * 60 * 1000;
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8})\/([^/,]+)\/([^/,]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([\da-f]{64})$/;

const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Uint8Array, text: string) => createHmac("sha256", key).update(text).digest();

/** Percent-encodes all bytes but the unreserved characters of RFC 3986. */
const uriEncode = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z\d\-._~]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");

const inOrder = <T extends readonly string[]>(rows: T[]) =>
  rows.sort((one, other) => (one.join("\0") < other.join("\0") ? -1 : 1));

/** Returns the canonical form of a request. */
export function canonicalRequest({ method, target, headers }: SignedRequest, signedHeaders: readonly string[]): string {
  const [path = "", query = ""] = target.split("?", 2);
  const parameters = query
    .split("&")
    .filter((parameter) => parameter !== "")
    .map((parameter) => {
      const [name = "", ...value] = parameter.split("=");
      return [name, value.join("=")].map((part) => uriEncode(decodeURIComponent(part.replaceAll("+", " "))));
    });
  return [
    method,
    path
      .split("/")
      .map((segment) => uriEncode(decodeURIComponent(segment)))
      .join("/"),
    inOrder(parameters)
      .map((parameter) => parameter.join("="))
      .join("&"),
    ...signedHeaders.map((name) => `${name}:${(headers[name] ?? "").trim().replaceAll(/ +/g, " ")}`),
    "",
    signedHeaders.join(";"),
    headers["x-amz-content-sha256"] ?? "",
  ].join("\n");
}

type Scope = { time: string; region: string; secretAccessKey: string };

/** Returns the signature of a canonical request in hex. `time` in the form of `x-amz-date`. */
export function signatureOf(canonical: string, { time, region, secretAccessKey }: Scope): string {
  const day = time.slice(0, 8);
  const scope = [day, region, "s3", "aws4_request"];
  const key = scope.reduce<string | Buffer>((parent, part) => hmac(parent, part), `AWS4${secretAccessKey}`);
  return hmac(key, [ALGORITHM, time, scope.join("/"), sha256(canonical)].join("\n")).toString("hex");
}

/** Returns why a request is refused; undefined if its signature is right. `now`: Unix time in ms. */
export function problemOfSignature(
  request: SignedRequest,
  keys: SigningKeys,
  now: number,
): SignatureProblem | undefined {
  const { headers } = request;
  if (headers.authorization === undefined) return { status: 403, code: "AccessDenied" };
  const [, accessKeyId, day, region, service, names = "", given = ""] = AUTHORIZATION.exec(headers.authorization) ?? [];
  if (accessKeyId === undefined) return { status: 400, code: "AuthorizationHeaderMalformed" };
  if (region !== keys.region || service !== "s3") return { status: 400, code: "AuthorizationHeaderMalformed" };
  const time = headers["x-amz-date"] ?? "";
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (Number.isNaN(at) || time.slice(0, 8) !== day) return { status: 403, code: "AccessDenied" };
  if (Math.abs(now - at) > MAX_SKEW_MS) return { status: 403, code: "RequestTimeTooSkewed" };
  if (accessKeyId !== keys.accessKeyId) return { status: 403, code: "InvalidAccessKeyId" };
  const signed = names.split(";");
  const isComplete = Object.keys(headers).every((name) => !name.startsWith("x-amz-") || signed.includes(name));
  const isSorted = signed.join() === [...new Set(signed)].sort().join();
  if (!isComplete || !isSorted || !signed.includes("host")) return { status: 403, code: "AccessDenied" };
  if (headers["x-amz-content-sha256"] === undefined) return { status: 400, code: "MissingSecurityHeader" };
  const expected = signatureOf(canonicalRequest(request, signed), { ...keys, time });
  const isRight = timingSafeEqual(Buffer.from(expected), Buffer.from(given));
  return isRight ? undefined : { status: 403, code: "SignatureDoesNotMatch" };
}

/** Whether a body has the hash that the request is signed with. */
export function isSignedBody(headers: SignedRequest["headers"], body: Uint8Array): boolean {
  const hash = headers["x-amz-content-sha256"];
  return hash === UNSIGNED || hash === sha256(body);
}
