import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";

const TAG = { boolean: 1, integer: 2, bits: 3, bytes: 4, oid: 6, text: 12, time: 24, sequence: 48, set: 49 };
const COMMON_NAME = "550403";
const ECDSA_WITH_SHA256 = "2a8648ce3d040302";
const SUBJECT_ALT_NAME = "551d11";
const BASIC_CONSTRAINTS = "551d13";

/** Encodes a value of ASN.1 in DER (X.690). */
function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const oid = (hex: string) => der(TAG.oid, Buffer.from(hex, "hex"));
const time = (at: number) =>
  der(TAG.time, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`));
const extension = (hex: string, value: Buffer) => der(TAG.sequence, oid(hex), der(TAG.bytes, value));

export type SelfSigned = { key: string; cert: string };

/**
 * Creates a certificate that signs itself (RFC 5280), with a new key.
 * @param options.host a name or IPv4 address for which it is
 * @param options.until Unix time in ms of its end; it begins ten years before
 */
export function createSelfSigned({ host, until }: { host: string; until: number }): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const begin = new Date(until);
  begin.setUTCFullYear(begin.getUTCFullYear() - 10);
  const name = der(TAG.sequence, der(TAG.set, der(TAG.sequence, oid(COMMON_NAME), der(TAG.text, Buffer.from(host)))));
  // Tags of the choice `GeneralName`: 2 for a name, 7 for an address.
  const alternative = isIPv4(host) ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host));
  const algorithm = der(TAG.sequence, oid(ECDSA_WITH_SHA256));
  const body = der(
    TAG.sequence,
    der(0xa0, der(TAG.integer, Buffer.from([2]))),
    der(TAG.integer, Buffer.from([1]), randomBytes(8)),
    algorithm,
    name,
    der(TAG.sequence, time(begin.getTime()), time(until)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(
      0xa3,
      der(
        TAG.sequence,
        extension(SUBJECT_ALT_NAME, der(TAG.sequence, alternative)),
        extension(BASIC_CONSTRAINTS, der(TAG.sequence, der(TAG.boolean, Buffer.from([255])))),
      ),
    ),
  );
  const signature = der(TAG.bits, Buffer.from([0]), sign("sha256", body, privateKey));
  const lines = der(TAG.sequence, body, algorithm, signature).toString("base64").replace(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
