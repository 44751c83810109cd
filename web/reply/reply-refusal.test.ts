import { describe, expect, test } from "vitest";
import { wordRefusal } from "./reply-refusal.ts";

describe("refused sends", () => {
  test("a refusal with a problem document has its text and its code", () => {
    const body = JSON.stringify({ detail: "Wait.", error: "Wait.", code: "reply-running" });
    expect(wordRefusal(409, body)).toEqual({ status: 409, code: "reply-running", text: "Wait." });
  });

  test.each([
    ["detail.message", '{"detail":{"message":"A","error":"B"},"error":"C"}', "A"],
    ["detail.error", '{"detail":{"error":"B"},"error":"C"}', "B"],
    ["error", '{"detail":{},"error":"C"}', "C"],
    ["the raw body", "plain words", "plain words"],
    ["the raw body of other JSON", '{"x":1}', '{"x":1}'],
    ["the fallback", " ", "Unknown error occurred"],
  ])("a refusal with 400 takes its text from %s", (_name, body, text) => {
    expect(wordRefusal(400, body)).toEqual({ status: 400, text });
  });

  test("a refusal with another status takes its text from its body, or from the status", () => {
    expect(wordRefusal(502, "Bad gateway")).toEqual({ status: 502, text: "Bad gateway" });
    expect(wordRefusal(500, "")).toEqual({ status: 500, text: "HTTP 500" });
    const page = "\r\n<!DOCTYPE html><html><body>502 Bad Gateway</body></html>";
    expect(wordRefusal(502, page)).toEqual({ status: 502, text: "HTTP 502" });
  });
});
