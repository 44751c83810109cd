import { expect, test } from "vitest";
import { isMetadataHost, withoutMetadata } from "./metadata-hosts.ts";

test.each([
  "169.254.169.254",
  "[fe80::1]",
  "[::ffff:169.254.169.254]",
  "fd00:ec2::254",
  "[fd00:0ec2:0::254]",
  "[64:ff9b::a9fe:a9fe]",
  "[64:ff9b:1::a9fe:a9fe]",
  "[2002:a9fe:a9fe::1]",
  "[::a9fe:a9fe]",
  "[::ffff:a83f:8110]",
  "100.100.100.200",
  "Metadata.Google.Internal.",
])("J1 %s is a host of metadata", (host) => expect(isMetadataHost(host)).toBe(true));

test.each(["127.0.0.1", "10.0.0.8", "192.168.1.7", "[::1]", "fd12:3456::1", "ollama.internal", "example.org"])(
  "J1 %s is none of metadata",
  (host) => expect(isMetadataHost(host)).toBe(false),
);

test("J1 a name that resolves to an address of metadata is refused when it is connected to", async () => {
  const answers: Record<string, string[]> = { good: ["127.0.0.1"], bad: ["127.0.0.1", "169.254.169.254"] };
  const find = withoutMetadata((name, _, done) =>
    done(
      null,
      (answers[name] ?? []).map((address) => ({ address, family: 4 })),
    ),
  );
  const found = (name: string) =>
    new Promise((resolve) => find(name, { all: true }, (error, addresses) => resolve(error?.message ?? addresses)));
  expect(await found("good")).toEqual([{ address: "127.0.0.1", family: 4 }]);
  expect(await found("bad")).toBe("bad is an address of metadata");
});
