import { describe, expect, test } from "vitest";
import { refuseMessage } from "./anthropic/anthropic-limits.ts";
import type { ContentPart } from "./content-parts.ts";
import { refuseChatCompletion, refuseResponse } from "./openai/openai-limits.ts";
import { pdfBytes, pngBytes } from "./prompt-files.ts";
import type { ErrorAnswer } from "./wire.ts";

const png = pngBytes(10, 10).toString("base64");
const pdf = pdfBytes(1).toString("base64");
const dataUrl = (type: string, base64: string) => `data:${type};base64,${base64}`;
const errorOf = (answer: ErrorAnswer | undefined) => answer && JSON.parse(answer.body).error;

const image = (url: string): ContentPart => ({ type: "image_url", image_url: { url, detail: "auto" } });
const file = (file_data: string, filename = "a.pdf"): ContentPart => ({ type: "file", file: { filename, file_data } });

describe("files in a chat completion", () => {
  const refuse = (part: ContentPart, model = "gpt-5-mini", role = "user") =>
    refuseChatCompletion({ model, messages: [{ role, content: [{ type: "text", text: "See?" }, part] }] });

  test.each([
    ["a picture", image(dataUrl("image/png", png)), "gpt-5-mini"],
    ["a PDF", file(dataUrl("application/pdf", pdf)), "gpt-5-mini"],
    ["a picture for a local model with vision", image(dataUrl("image/png", png)), "qwen3-vl:8b"],
  ])("accepts a chat completion with %s", (_, part, model) => {
    expect(refuse(part, model)).toBeUndefined();
  });

  test.each([
    ["of an unknown type", { type: "picture" }, "invalid_value", "messages[0].content[1].type"],
    [
      "of another API",
      { type: "input_image", image_url: dataUrl("image/png", png) },
      "invalid_value",
      "messages[0].content[1].type",
    ],
    ["with a wrong media type", image(dataUrl("image/svg+xml", png)), "invalid_value", "messages[0].content[1]"],
    ["without a media type", image(png), "invalid_value", "messages[0].content[1]"],
    ["with invalid base64", image(dataUrl("image/png", "a-_b")), "invalid_base64", "messages[0].content[1]"],
    [
      "with base64 without padding",
      image(dataUrl("image/png", png.slice(0, -1))),
      "invalid_base64",
      "messages[0].content[1]",
    ],
    ["with another content", image(dataUrl("image/jpeg", png)), "image_parse_error", "messages[0].content[1]"],
    [
      "with a name of another format",
      file(dataUrl("application/pdf", pdf), "a"),
      "unsupported_file",
      "messages[0].content[1]",
    ],
  ])("refuses a chat completion with a part %s", (_, part, code, param) => {
    expect(errorOf(refuse(part))).toMatchObject({ code, param });
  });

  test("refuses a chat completion with a picture in an answer, or for a model without vision", () => {
    expect(errorOf(refuse(image(dataUrl("image/png", png)), "gpt-5-mini", "assistant"))).toMatchObject({
      code: "invalid_value",
    });
    expect(errorOf(refuse(image(dataUrl("image/png", png)), "gpt-3.5-turbo")).message).toContain(
      "only supported by certain",
    );
    expect(errorOf(refuse(image(dataUrl("image/png", png)), "llama3.2:3b")).message).toContain("mmproj");
    expect(errorOf(refuse(file(dataUrl("application/pdf", pdf)), "qwen3-vl:8b")).message).toContain("mmproj");
  });

  test("refuses a chat completion of more than 50 MB", () => {
    const large = dataUrl("application/pdf", pdfBytes(1, 19_000_000).toString("base64"));
    const content = [file(large), file(large)];
    expect(refuseChatCompletion({ model: "gpt-5-mini", messages: [{ role: "user", content }] })?.status).toBe(413);
  });
});

describe("files in a response", () => {
  const refuse = (part: ContentPart, role = "user") =>
    errorOf(refuseResponse({ model: "gpt-5-mini", input: [{ role, content: [part] }] }));

  test.each([
    ["a picture", { type: "input_image", image_url: dataUrl("image/png", png) }],
    ["a PDF", { type: "input_file", filename: "a.pdf", file_data: dataUrl("application/pdf", pdf) }],
  ])("accepts a request for a response with %s", (_, part) => {
    expect(refuse(part)).toBeUndefined();
  });

  test.each([
    ["of chat completions", image(dataUrl("image/png", png)), "invalid_value"],
    ["with base64 that is no data URL", { type: "input_file", filename: "a.pdf", file_data: pdf }, "invalid_value"],
    ["with invalid base64", { type: "input_image", image_url: dataUrl("image/png", "?") }, "invalid_base64"],
  ])("refuses a request for a response with a part %s", (_, part, code) => {
    expect(refuse(part)).toMatchObject({ code, param: "input[0].content[0]" });
  });

  test("refuses a request for a response with a picture in an answer", () => {
    expect(refuse({ type: "input_image", image_url: dataUrl("image/png", png) }, "assistant")).toMatchObject({
      code: "invalid_value",
    });
  });
});

describe("files in a message to Anthropic", () => {
  const source = (media_type: string, data: string, type = "base64") => ({ type, media_type, data });
  const refuse = (...content: ContentPart[]) =>
    refuseMessage({ model: "claude-opus-5-5", max_tokens: 10, messages: [{ role: "user", content }] });
  const sentence = (...content: ContentPart[]) => errorOf(refuse(...content))?.message;
  const picture = (bytes: Buffer): ContentPart => ({
    type: "image",
    source: source("image/png", bytes.toString("base64")),
  });

  test("accepts a message to Anthropic with a picture and a PDF", () => {
    const document = { type: "document", source: source("application/pdf", pdf), title: "A" };
    expect(refuse(picture(pngBytes(10, 10)), document, { type: "text", text: "See?" })).toBeUndefined();
  });

  test.each([
    ["an unknown block", { type: "picture" }, /Input tag 'picture'/],
    ["an empty text", { type: "text", text: " \n" }, /must be non-empty/],
    [
      "a wrong media type",
      { type: "image", source: source("image/bmp", png) },
      /media_type: Input should be image\/jpeg/,
    ],
    ["a picture as a document", { type: "document", source: source("image/png", png) }, /media_type/],
    ["a source of another type", { type: "image", source: source("image/png", png, "data") }, /source.type/],
    ["invalid base64", { type: "image", source: source("image/png", "a b=") }, /invalid base64/],
    ["another content", { type: "image", source: source("image/jpeg", png) }, /does not match the media type/],
    ["a damaged PDF", { type: "document", source: source("application/pdf", png) }, /PDF specified was not valid/],
    ["a picture of more than 5 MB", picture(pngBytes(10, 10, 4_000_000)), /image exceeds 5 MB/],
    ["a picture of more than 8,000 pixels", picture(pngBytes(8001, 10)), /8000 pixels/],
    [
      "more than 100 pages",
      { type: "document", source: source("application/pdf", pdfBytes(101).toString("base64")) },
      /maximum of 100 PDF pages/,
    ],
  ])("refuses a message to Anthropic with %s", (_, block, expected) => {
    expect(sentence(block)).toMatch(expected);
  });

  test("a message to Anthropic with many pictures has a narrower limit of their size", () => {
    const many = (count: number, side: number) => Array.from({ length: count }, () => picture(pngBytes(side, 10)));
    expect([sentence(...many(20, 2001)), sentence(...many(21, 2000))]).toEqual([undefined, undefined]);
    expect(sentence(...many(21, 2001))).toMatch(/2000 pixels/);
    expect(sentence(...many(101, 10))).toMatch(/Too many images/);
  });

  test("refuses a message to Anthropic of more than 32 MB", () => {
    const document = {
      type: "document",
      source: source("application/pdf", pdfBytes(1, 13_000_000).toString("base64")),
    };
    expect(refuse(document, document)?.status).toBe(413);
  });
});
