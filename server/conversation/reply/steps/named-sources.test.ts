import { expect, test } from "vitest";
import { withNamedSources } from "./provider-citations.ts";

test("sources that a provider has named are cited once, also if a checkpoint had stored them", () => {
  const url = "https://example.org/sea";
  const cited = [{ url, title: "Sea", words: { start: 0, from: 0, to: 16 } }];
  const reply = { content: "The sea is warm.", from: 0, run: 1, rev: 5, named: { list: [], cited, begin: 0 } };
  const once = withNamedSources([], reply);
  expect(once.parts).toMatchObject([{ kind: "source", at: 16, body: { source: "1", url } }]);
  expect(withNamedSources(once.parts, { ...reply, rev: once.rev })).toEqual(once);
});
