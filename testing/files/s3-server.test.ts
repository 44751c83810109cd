import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { S3Server } from "./s3-server.ts";
import { startS3Server } from "./s3-server.ts";
import { canonicalRequest, isSignedBody, problemOfSignature, type SignedRequest, signatureOf } from "./s3-signature.ts";

const keys = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  region: "us-east-1",
};
const TIME = "20130524T000000Z";
const now = Date.UTC(2013, 4, 24);
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

type Example = { method: string; target: string; headers?: Record<string, string>; sha256?: string; signature: string };

/** Examples of https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
const examples: Record<string, Example> = {
  "GET Object": {
    ...{ method: "GET", target: "/test.txt", headers: { range: "bytes=0-9" } },
    signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  },
  "PUT Object": {
    ...{ method: "PUT", target: "/test%24file.text" },
    headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
    sha256: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
    signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  },
  "GET Bucket Lifecycle": {
    ...{ method: "GET", target: "/?lifecycle" },
    signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  },
  "GET Bucket (List Objects)": {
    ...{ method: "GET", target: "/?prefix=J&max-keys=2" },
    signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  },
};

function requestOf({ method, target, headers = {}, sha256 = EMPTY, signature }: Example): SignedRequest {
  const all: Record<string, string> = {
    ...headers,
    host: "examplebucket.s3.amazonaws.com",
    "x-amz-content-sha256": sha256,
    "x-amz-date": TIME,
  };
  const names = Object.keys(all).sort().join(";");
  const credential = `${keys.accessKeyId}/20130524/us-east-1/s3/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${names},Signature=${signature}`;
  return { method, target, headers: { ...all, authorization } };
}

describe("signatures of requests to a bucket", () => {
  it.each(Object.keys(examples))("accepts the published signature of %s, and no change of the request", (name) => {
    const example = examples[name];
    if (!example) throw new Error("There is no such example");
    const signed = requestOf(example);
    const problem = (change: Partial<SignedRequest>, at = now) =>
      problemOfSignature({ ...signed, ...change }, keys, at)?.code;
    expect(problem({})).toBeUndefined();
    expect(problem({ method: "DELETE" })).toBe("SignatureDoesNotMatch");
    expect(problem({ target: `${signed.target}x` })).toBe("SignatureDoesNotMatch");
    const withHeader = (header: string, value: string | undefined) =>
      problem({ headers: { ...signed.headers, [header]: value } });
    expect(withHeader("host", "other.s3.amazonaws.com")).toBe("SignatureDoesNotMatch");
    expect(withHeader("x-amz-content-sha256", EMPTY.replace("e", "f"))).toBe("SignatureDoesNotMatch");
    expect(withHeader("x-amz-acl", "public-read")).toBe("AccessDenied");
    expect(withHeader("authorization", undefined)).toBe("AccessDenied");
    expect(withHeader("x-amz-date", "20130525T000000Z")).toBe("AccessDenied");
    expect(withHeader("authorization", signed.headers.authorization?.replace("AKIA", "AKIB"))).toBe(
      "InvalidAccessKeyId",
    );
    expect(withHeader("authorization", signed.headers.authorization?.replace("us-east-1", "us-east-2"))).toBe(
      "AuthorizationHeaderMalformed",
    );
    const minutes = 60_000;
    expect([problem({}, now + 14 * minutes), problem({}, now - 14 * minutes)]).toEqual([undefined, undefined]);
    expect([problem({}, now + 16 * minutes), problem({}, now - 16 * minutes)]).toEqual([
      "RequestTimeTooSkewed",
      "RequestTimeTooSkewed",
    ]);
  });

  it("forms the published canonical request and its signature", () => {
    const signed = requestOf(examples["GET Object"] ?? { method: "", target: "", signature: "" });
    const canonical = canonicalRequest(signed, ["host", "range", "x-amz-content-sha256", "x-amz-date"]);
    expect(canonical.split("\n")).toEqual([
      ...["GET", "/test.txt", "", "host:examplebucket.s3.amazonaws.com", "range:bytes=0-9"],
      ...[`x-amz-content-sha256:${EMPTY}`, `x-amz-date:${TIME}`, "", "host;range;x-amz-content-sha256;x-amz-date"],
      EMPTY,
    ]);
    expect(signatureOf(canonical, { ...keys, time: TIME })).toBe(examples["GET Object"]?.signature);
  });

  it("compares the hash of a signed body, and ignores that of an unsigned one", () => {
    const published = { "x-amz-content-sha256": examples["PUT Object"]?.sha256 };
    expect(isSignedBody(published, Buffer.from("Welcome to Amazon S3."))).toBe(true);
    expect(isSignedBody(published, Buffer.from("Welcome to Amazon S3"))).toBe(false);
    expect(isSignedBody({ "x-amz-content-sha256": "UNSIGNED-PAYLOAD" }, Buffer.from("any"))).toBe(true);
  });
});

describe("requests to a bucket", () => {
  let opened: AsyncDisposableStack;
  let server: S3Server;
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    server = await startS3Server(opened);
  });
  afterEach(() => opened.disposeAsync());

  it("the bucket answers an unsigned request with the XML of S3, and stores nothing", async () => {
    const { promise, resolve, reject } = Promise.withResolvers<[number | undefined, string]>();
    request(`${server.endpoint}/attached/a`, { method: "PUT" }, async (response) =>
      resolve([response.statusCode, await text(response)]),
    )
      .on("error", reject)
      .end("a");
    const [status, body] = await promise;
    expect([status, body]).toEqual([403, expect.stringContaining("<Error><Code>AccessDenied</Code>")]);
    expect(server.bucket.objects.size).toBe(0);
  });
});
