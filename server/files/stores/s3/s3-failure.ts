import { type S3Location, s3NameOf } from "../../../config/files-url.ts";
import { StoreFailure } from "../file-store.ts";
import { readXml } from "./read-xml.ts";

/** An answer that is no success. `code`: S3's name of the error; empty if the answer has none. */
export type Refused = { status: number; code: string };

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const TEMPORARY = new Set(["RequestTimeout", "SlowDown", "InternalError", "ServiceUnavailable", "OperationAborted"]);
const temporaryStatuses = new Set([408, 429, 500, 502, 503, 504]);
const FULL = new Set(["XMinioStorageFull", "XMinioAdminBucketQuotaExceeded", "QuotaExceeded"]);
const FULL_STATUS = 507;
const WRONG_PLACE = new Set(["PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed"]);
const REFUSED_STATUSES = [401, 403];

const isTemporary = ({ status, code }: Refused): boolean => temporaryStatuses.has(status) || TEMPORARY.has(code);

/** Returns the code of an error's XML; empty if it is not of this form. Nothing else of it is used or logged. */
export function codeOfError(xml: string): string {
  const { root, fields } = readXml(xml);
  const code = root === "Error" ? fields.get("Code") : undefined;
  return code !== undefined && /^\w{1,64}$/.test(code) ? code : "";
}

/** Returns the failure of an answer. */
export function failureOfAnswer(location: S3Location, answer: Refused): StoreFailure {
  const isFull = FULL.has(answer.code) || answer.status === FULL_STATUS;
  const reason = `The file store ${s3NameOf(location)} ${predicateOf(answer, isFull)}`;
  return new StoreFailure(reason, { isTemporary: isTemporary(answer), isFull });
}

function predicateOf({ status, code }: Refused, isFull: boolean): string {
  const shown = code === "" ? `status ${status}` : `${status} ${code}`;
  if (isFull) return `has no room left (${shown}).`;
  if (code === "NoSuchBucket") return "has no such bucket.";
  if (code === "RequestTimeTooSkewed") return "has another time: set the clocks of both machines.";
  // Redirects are not followed: a signature is valid for one host and region.
  if (WRONG_PLACE.has(code) || (status >= 300 && status < 400)) {
    return `expects another region or endpoint in FILES_URL (${shown}).`;
  }
  if (REFUSED_STATUSES.includes(status)) return `refuses FILES_ACCESS_KEY_ID or its permissions (${shown}).`;
  return `answered with an error (${shown}).`;
}

/** Returns the failure of a connection. Its error is reduced to a code, because it contains addresses and bytes. */
export function failureOfConnection(location: S3Location, error: unknown): StoreFailure {
  // The code of a DOMException is a number.
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  const name = error instanceof Error ? error.name : "Error";
  const shown = /^\w{1,64}$/.test(code) ? code : name;
  return new StoreFailure(`The file store ${s3NameOf(location)} does not answer (${shown}).`, { isTemporary: true });
}

/** Returns the failure of a download whose connection is lost again and again. */
export const failureOfLoss = (location: S3Location): StoreFailure =>
  new StoreFailure(`The file store ${s3NameOf(location)} breaks off its answers.`, { isTemporary: true });

/** Returns the failure of an answer that S3 does not give. */
export const failureOfForm = (location: S3Location, what: string): StoreFailure =>
  new StoreFailure(`The file store ${s3NameOf(location)} answered otherwise than S3: ${what}.`, { isTemporary: false });
