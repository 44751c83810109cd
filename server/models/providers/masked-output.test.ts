import { expect, it } from "vitest";
import type { ProviderSource } from "../sources/provider-sources.ts";
import { toSource } from "../sources/provider-sources.ts";
import { maskedEnd } from "./masked-output.ts";

const SECRET = 'Key-"ä/1';
const end = (source: ProviderSource | undefined, isCited: boolean) => {
  const sources = source ? [source] : [];
  return maskedEnd(
    { reason: "complete", sources: { list: isCited ? [] : sources, cited: isCited ? sources : [], length: 0 } },
    ["other", SECRET],
  ).sources;
};

it.each([
  ["in a title", toSource("https://a.test/", `The ${SECRET}`)],
  ["encoded in an address", toSource(`https://a.test/?k=${encodeURIComponent(SECRET)}`, "A")],
  ["in an address that encodes a part of it", toSource(`https://a.test/?k=${SECRET}`, "A")],
  ["beside an invalid sequence", toSource(`https://a.test/%ff/?k=${encodeURIComponent(SECRET)}`, "A")],
  ["as it is", { url: `https://a.test/${SECRET}`, title: "" }],
])("drops the sources of an answer that have a secret %s", (_how, source) => {
  expect([end(source, false), end(source, true)]).toEqual([undefined, undefined]);
});

it("keeps sources without a secret", () => {
  const source = toSource("https://a.test/%ff?k=Key", "Key");
  expect(end(source, true)?.cited).toEqual([source]);
});
