import { describe, expect, it } from "vitest";
import { readContent } from "./chatgpt-content.ts";

const read = (content: unknown, metadata?: unknown) => readContent({ content, metadata }, (key) => `id of ${key}`);
const parts = (...all: unknown[]) => ({ content_type: "multimodal_text", parts: all });
const image = (asset_pointer: unknown) => ({
  content_type: "image_asset_pointer",
  asset_pointer,
  size_bytes: 7,
  width: 2,
  height: 2,
});
const file = (entry: string, more: object = {}) => ({
  ...{ id: `id of chatgpt/${entry}`, name: "", type: "", size: 7, source: { entry } },
  ...more,
});

const picture = (entry: string) => file(entry, { name: "picture" });

describe("the files of a message of ChatGPT", () => {
  it("a picture is the entry of the archive that its pointer names, in each known form", () => {
    const pointers = {
      "file-service://file-Ab12": "file-Ab12",
      "sediment://file_00000000bb04": "file_00000000bb04",
      "sediment://a5bd4e0a#file_0000c1#p_0.jpg": "file_0000c1",
      "https://chatgpt.example/content?id=file_77&sig=x": "file_77",
      "file-service://picture": "picture",
    };
    for (const [pointer, entry] of Object.entries(pointers)) {
      expect(read(parts("Look", image(pointer)))).toMatchObject({ texts: ["Look"], files: [picture(entry)] });
    }
    expect(read(parts(image("https://a.example/x.png"), image(3), image(""))).files).toEqual([]);
  });

  it("a picture that is attached too is one file, with the name of the attachment", () => {
    const attachments = [
      { id: "file-a", name: "cat.png", mime_type: "image/png", size: 99, width: 2 },
      { id: "file-b", name: "notes.pdf", mimeType: "application/pdf", size: 5 },
      { name: "lost.txt", size: -1 },
      { id: 12 },
      "file-c",
    ];
    expect(
      read(parts(image("file-service://file-a"), image("file-service://file-a"), "Hi"), { attachments }).files,
    ).toEqual([
      file("file-a", { name: "cat.png", type: "image/png", size: 99 }),
      file("file-b", { name: "notes.pdf", type: "application/pdf", size: 5 }),
      { ...file("lost.txt", { name: "lost.txt", size: 0 }), source: null },
      file("12", { size: 0 }),
    ]);
  });

  it("a spoken message is its words and its recordings", () => {
    const audio = (id: string) => ({
      content_type: "audio_asset_pointer",
      asset_pointer: `sediment://${id}`,
      format: "wav",
      size_bytes: 7,
    });
    const spoken = {
      content_type: "real_time_user_audio_video_asset_pointer",
      audio_asset_pointer: audio("file_in"),
      video_container_asset_pointer: { asset_pointer: "sediment://file_video", size_bytes: 7 },
      frames_asset_pointers: ["sediment://file_frame", { asset_pointer: "sediment://file_frame2", size_bytes: 7 }],
    };
    const said = { content_type: "audio_transcription", text: "Ahoy", direction: "in" };
    expect(read(parts(said, spoken, audio("file_out")))).toMatchObject({
      texts: ["Ahoy"],
      files: [
        file("file_in", { type: "audio/wav" }),
        file("file_video"),
        file("file_frame", { size: 0 }),
        file("file_frame2"),
        file("file_out", { type: "audio/wav" }),
      ],
      unreadable: undefined,
    });
  });

  it("pictures that a tool makes are files", () => {
    const made = {
      messages: [{ message_type: "image", image_url: "file-service://file-plot" }, { message_type: "stream" }],
    };
    const output = { content_type: "execution_output", text: "done" };
    expect(read(output, { aggregate_result: made })).toMatchObject({
      texts: ["done"],
      files: [file("file-plot", { size: 0 })],
    });
    const inline = { messages: [{ image_url: "data:image/png;base64,AAAA" }] };
    expect(read(output, { aggregate_result: inline }).files).toMatchObject([
      { type: "image/png", size: 3, source: { base64: "AAAA" } },
    ]);
    const screen = { content_type: "computer_output", screenshot: image("sediment://file_shot"), state: null };
    expect(read(screen).files).toEqual([picture("file_shot")]);
    const display = { content_type: "tether_browsing_display", result: "", assets: [image("sediment://file_found")] };
    expect(read(display).files).toEqual([picture("file_found")]);
  });

  it("a file to which an answer links is the entry of the archive with its name, unless it is attached already", () => {
    const said =
      "Get [it](sandbox:/mnt/data/a%20b.csv), [again](sandbox:/mnt/data/a%20b.csv) or [notes](sandbox:/x/notes.txt).";
    const filesOf = (role: string, content: object = parts(said)) => {
      const metadata = { attachments: [{ id: "file-b", name: "notes.txt" }] };
      return readContent({ author: { role }, content, metadata }, (key) => key).files.map(({ name, source }) => [
        name,
        source,
      ]);
    };
    expect(filesOf("assistant")).toEqual([
      ["a b.csv", { entry: "a b.csv" }],
      ["notes.txt", { entry: "file-b" }],
    ]);
    const attached = [["notes.txt", { entry: "file-b" }]];
    expect(filesOf("user")).toEqual(attached);
    expect(filesOf("assistant", { content_type: "code", text: said })).toEqual(attached);
    expect(filesOf("assistant", parts("`[it](sandbox:/a.csv)`"))).toEqual(attached);
  });

  it("a part that is too deep to be written costs no other part of its message", () => {
    const deep = JSON.parse(`{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`);
    expect(read(parts("What?", deep)).texts).toContain("What?");
  });

  it("a recap of many digits is read in time", () => {
    const recap = { content_type: "reasoning_recap", content: "1".repeat(300_000) };
    expect(read(recap).durationMs).toBeUndefined();
  });

  it("a part without a kind is its text, or what it is made of", () => {
    expect(read(parts({ text: "Plain" })).texts).toEqual(["Plain"]);
    expect(read({ content_type: "text", parts: [{ name: "doc", content: "hi" }] }).texts).toEqual([
      '{"name":"doc","content":"hi"}',
    ]);
    expect(read({ content_type: "text", parts: "whole" }).texts).toEqual(["whole"]);
    expect(read({ content_type: "text", text: "bare" }).texts).toEqual(["bare"]);
  });
});
