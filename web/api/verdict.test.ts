import { expect, test } from "vitest";
import { verdict } from "./verdict.ts";

test.each([
  ["no answer", { status: 0, code: "unreachable" }, "unavailable"],
  ["a server that restarts", { status: 503, code: "draining" }, "unavailable"],
  ["a server without its database", { status: 503, code: "unavailable" }, "unavailable"],
  ["a proxy without its server", { status: 502 }, "unavailable"],
  ["a balancer without one", { status: 503 }, "unavailable"],
  ["a proxy that has waited long enough", { status: 504 }, "unavailable"],
  ["our server's 404", { status: 404, code: "not-found" }, "gone"],
  ["anybody else's 404", { status: 404 }, "refused"],
  ["a server that writes enough replies already", { status: 429, code: "too-many-replies" }, "rate-limited"],
  ["a budget that other replies have reserved", { status: 429, code: "budget-reserved" }, "at-capacity"],
  ["a server that is asked too often", { status: 429, code: "too-many-requests" }, "refused"],
  ["anybody else's 429", { status: 429 }, "refused"],
  ["a provider's failure", { status: 502, code: "assistant-unreachable" }, "refused"],
  ["our own failure", { status: 500, code: "internal" }, "refused"],
  ["news from elsewhere", { status: 409, code: "conversation-moved" }, "refused"],
])("classifies the failed request: %s", (_name, answer, expected) => {
  expect(verdict(answer)).toBe(expected);
});
