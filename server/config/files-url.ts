import { isLoopbackUrl } from "./loopback.ts";

/** Where an S3-compatible server stores attached files. */
export type S3Location = Readonly<{
  /** Origin, with the base path if there is one, without a trailing slash. */
  endpoint: string;
  region: string;
  bucket: string;
  /** Beginning of the names of all objects: empty, or with a trailing slash. */
  prefix: string;
  /** Whether the bucket is the first segment of the path. Otherwise it is the first label of the host. */
  isPathStyle: boolean;
}>;

/** Credentials of {@link S3Location}. */
export type S3Credentials = Readonly<{ accessKeyId: string; secretAccessKey: string }>;

const PARAMETERS = ["endpoint", "region", "style"] as const;
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const BUCKET = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/;
const SEGMENT = /^(?!\.{1,2}$)[\w.-]+$/;
const REGION = /^[a-z\d-]{1,40}$/;
/** The region that servers accept that have none. */
const ANY_REGION = "us-east-1";

/** A `FILES_URL` is invalid. The message continues the name of the variable. */
class InvalidFilesUrl extends Error {}

/** Returns the problem of a `FILES_URL`, as a continuation of its name; undefined if it is valid. */
export function problemOfFilesUrl(text: string): string | undefined {
  try {
    s3LocationOf(text);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidFilesUrl) return error.message;
    throw error;
  }
}

/**
 * Parses `s3://BUCKET/PREFIX?endpoint=URL&region=NAME&style=path`. Prefix and style are optional. Without an endpoint it
 * is AWS's of the region; with one, the region is optional.
 * @throws InvalidFilesUrl, without the value: it may contain a key by mistake
 */
export function s3LocationOf(text: string): S3Location {
  const url = URL.parse(text);
  if (url?.protocol !== "s3:")
    throw new InvalidFilesUrl("must be a URL such as s3://bucket/prefix?region=eu-central-1");
  if (url.username !== "" || url.password !== "") {
    throw new InvalidFilesUrl("must not contain keys: set FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY");
  }
  if (url.port !== "" || url.hash !== "" || !BUCKET.test(url.hostname)) {
    throw new InvalidFilesUrl("must name a bucket: 3 to 63 lower-case letters, digits, dots and hyphens");
  }
  const { endpoint, region = ANY_REGION, style } = parametersOf(url);
  if (!REGION.test(region)) throw new InvalidFilesUrl("must have a region such as eu-central-1");
  if (endpoint === undefined && !url.searchParams.has("region")) {
    throw new InvalidFilesUrl("must have a region, or the endpoint of another server than AWS");
  }
  // A certificate of AWS is valid for one label below the region.
  const isPathStyle = style === undefined ? endpoint !== undefined || url.hostname.includes(".") : style === "path";
  return {
    endpoint: endpoint === undefined ? awsEndpointOf(region) : endpointOf(endpoint),
    ...{ region, bucket: url.hostname, prefix: prefixOf(url), isPathStyle },
  };
}

function parametersOf({ searchParams }: URL): Partial<Record<(typeof PARAMETERS)[number], string>> {
  const names = [...searchParams.keys()];
  const isKnown = (name: string) => PARAMETERS.some((known) => known === name);
  if (!names.every(isKnown) || new Set(names).size < names.length) {
    throw new InvalidFilesUrl(`must have no parameters but ${PARAMETERS.join(", ")}, each once`);
  }
  const { style, ...parameters } = Object.fromEntries(searchParams);
  if (style !== undefined && style !== "path" && style !== "virtual") {
    throw new InvalidFilesUrl("must have the style path or virtual");
  }
  return { ...parameters, ...(style !== undefined && { style }) };
}

function prefixOf({ pathname }: URL): string {
  const segments = pathname.replace(/^\/|\/$/g, "").split("/");
  if (segments.join() === "") return "";
  if (!segments.every((segment) => SEGMENT.test(segment))) {
    throw new InvalidFilesUrl("must have a prefix of letters, digits, dots, hyphens, underscores and slashes");
  }
  return `${segments.join("/")}/`;
}

function endpointOf(text: string): string {
  const url = URL.parse(text);
  const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
  const segments = url?.pathname.replace(/^\/|\/$/g, "").split("/") ?? [];
  const isPlain = url?.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (!isHttp || !isPlain || !(segments.join() === "" || segments.every((segment) => SEGMENT.test(segment)))) {
    throw new InvalidFilesUrl("must have an endpoint such as https://s3.example.org");
  }
  return `${url.origin}${url.pathname.replace(/\/$/, "")}`;
}

const awsEndpointOf = (region: string) => `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;

/** Describes a location for the operator. */
export const s3NameOf = ({ endpoint, bucket, prefix }: S3Location): string =>
  `s3://${bucket}/${prefix} at ${new URL(endpoint).host}`;

/** Returns warnings about a location. */
export const filesWarningsOf = ({ endpoint }: S3Location): string[] =>
  endpoint.startsWith("http:") && !isLoopbackUrl(endpoint)
    ? ["FILES_URL has an endpoint without TLS: on the way to it, others can read attached files."]
    : [];
