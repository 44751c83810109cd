import { describe, expect, it } from "vitest";
import { problemsOf } from "../../testing/config/problems-of.ts";
import { parseConfig } from "./config.ts";

const keys = { FILES_ACCESS_KEY_ID: "hidden-key-id", FILES_SECRET_ACCESS_KEY: "hidden-secret" };
const filesAt = (FILES_URL: string) => parseConfig({ FILES_URL, ...keys }).config.filesAt;

describe("values of FILES_URL", () => {
  it.each([
    ["s3://chat-files?region=eu-central-1", "https://s3.eu-central-1.amazonaws.com", "chat-files", "", false],
    ["s3://chat.files/?region=eu-central-1", "https://s3.eu-central-1.amazonaws.com", "chat.files", "", true],
    ["s3://files/a/b-1/?region=cn-north-1", "https://s3.cn-north-1.amazonaws.com.cn", "files", "a/b-1/", false],
    ["s3://files/a?region=us-east-1&style=path", "https://s3.us-east-1.amazonaws.com", "files", "a/", true],
    ["s3://files?endpoint=http://127.0.0.1:9000", "http://127.0.0.1:9000", "files", "", true],
    ["s3://files?endpoint=https://1a.r2.example.com/&region=auto", "https://1a.r2.example.com", "files", "", true],
    [
      "s3://files?endpoint=https%3A%2F%2Fs3.example.org%2Fstorage%2Fs3",
      "https://s3.example.org/storage/s3",
      "files",
      "",
      true,
    ],
    ["s3://files?endpoint=https://s3.example.org&style=virtual", "https://s3.example.org", "files", "", false],
  ])("FILES_URL %s names a bucket", (url, endpoint, bucket, prefix, isPathStyle) => {
    expect(filesAt(url)).toMatchObject({ endpoint, bucket, prefix, isPathStyle });
  });

  it("FILES_URL has the region us-east-1 if an endpoint needs none", () => {
    expect(filesAt("s3://files?endpoint=https://s3.example.org")?.region).toBe("us-east-1");
    expect(filesAt("s3://files?endpoint=https://s3.example.org&region=auto")?.region).toBe("auto");
  });

  it.each([
    ["files", "must be a URL such as"],
    ["https://s3.example.org/files", "must be a URL such as"],
    ["s3://files", "must have a region"],
    ["s3://hidden-id:hidden-secret@files?region=eu-central-1", "must not contain keys"],
    ["s3://Files?region=eu-central-1", "must name a bucket"],
    ["s3://f?region=eu-central-1", "must name a bucket"],
    ["s3://files:9000?region=eu-central-1", "must name a bucket"],
    ["s3:///files?region=eu-central-1", "must name a bucket"],
    ["s3://files/a//b?region=eu-central-1", "must have a prefix"],
    ["s3://files/a%20b?region=eu-central-1", "must have a prefix"],
    ["s3://files/a%2F..%2Fb?region=eu-central-1", "must have a prefix"],
    ["s3://files?region=EU 1", "must have a region"],
    ["s3://files?region=eu-central-1&regoin=x", "must have no parameters but endpoint, region, style"],
    ["s3://files?region=eu-central-1&region=eu-central-2", "must have no parameters but"],
    ["s3://files?region=eu-central-1&style=dns", "must have the style path or virtual"],
    ["s3://files?endpoint=ftp://s3.example.org", "must have an endpoint"],
    ["s3://files?endpoint=https://hidden:hidden@s3.example.org", "must have an endpoint"],
    ["s3://files?endpoint=https://s3.example.org?a=b", "must have an endpoint"],
  ])("FILES_URL %s is refused, without repeating it", (FILES_URL, problem) => {
    const problems = problemsOf({ FILES_URL, ...keys });
    expect(problems).toEqual([expect.stringContaining(`FILES_URL ${problem}`)]);
    expect(problems.join()).not.toContain("hidden");
  });

  it("FILES_URL requires both keys, which are not in the configuration", () => {
    const FILES_URL = "s3://files?region=eu-central-1";
    expect(problemsOf({ FILES_URL })).toEqual([
      "FILES_ACCESS_KEY_ID is required with FILES_URL",
      "FILES_SECRET_ACCESS_KEY is required with FILES_URL",
    ]);
    expect(problemsOf({ FILES_URL, FILES_ACCESS_KEY_ID: "a", FILES_SECRET_ACCESS_KEY_FILE: "/gone" })).toHaveLength(1);
    const { config, secrets } = parseConfig({ FILES_URL, ...keys });
    expect(JSON.stringify(config)).not.toContain("hidden");
    expect(secrets).toEqual({ filesAccessKeyId: "hidden-key-id", filesSecretAccessKey: "hidden-secret" });
  });

  it("FILES_URL with an endpoint without TLS on another machine causes a warning", () => {
    const warningsOf = (endpoint: string) =>
      parseConfig({ FILES_URL: `s3://files?endpoint=${endpoint}`, ...keys }).warnings;
    expect(warningsOf("http://minio:9000")).toEqual([expect.stringContaining("without TLS")]);
    for (const endpoint of ["https://minio:9000", "http://127.0.0.1:9000"]) expect(warningsOf(endpoint)).toEqual([]);
  });
});
