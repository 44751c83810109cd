import { expect, it } from "vitest";
import { bufferSource } from "../../../../testing/files/buffer-source.ts";
import { MAIL_TYPE, mediaTypeOf } from "../../media-type.ts";
import { extractText } from "../extract-text.ts";

/** Reads a mail of these lines, in bytes of Latin-1. */
const read = async (...lines: readonly string[]) => {
  const bytes = Buffer.from(lines.join("\r\n"), "latin1");
  expect(await mediaTypeOf(bufferSource(bytes), "Letter.EML")).toBe(MAIL_TYPE);
  return extractText(bytes, MAIL_TYPE);
};
const textOf = async (...lines: readonly string[]) => (await read(...lines)).text;
const utf8 = (text: string) => Buffer.from(text).toString("latin1");
const base64 = (text: string | Uint8Array) => Buffer.from(text as string).toString("base64");
let boundaries = 0;
const multipart = (kind: string, ...parts: readonly (readonly string[])[]) => {
  const boundary = `=_${kind}${++boundaries}`;
  const lines = parts.flatMap((part) => [`--${boundary}`, ...part]);
  return [`Content-Type: multipart/${kind}; boundary="${boundary}"`, "", ...lines, `--${boundary}--`];
};
const PLAIN = ["Content-Type: text/plain; charset=utf-8", "", "Plain words"];
const HTML = ["Content-Type: text/html; charset=utf-8", "", "<h1>Big</h1><p>HTML&nbsp;words</p>"];

it("a mail has its addresses, date and subject decoded, and its text", async () => {
  const subject = `=?utf-8?B?${base64("Käse für ")}?= =?utf-8?Q?alle?=`;
  const fields = [
    "Received: from a by b",
    "From: =?ISO-8859-1?Q?J=FCrgen_Berg?= <j@example.com>",
    'To: a@example.com,\r\n "Lee, Kim" <kim@example.com>',
    "Cc: Team: x@example.com, y@example.com;",
    "Date: Fri, 27 Nov 2026 10:00:00 +0100",
    `Subject: ${subject}`,
  ];
  expect(await textOf(...fields, "", "Hello", "there")).toBe(
    `From: Jürgen Berg <j@example.com>
To: a@example.com, Lee, Kim <kim@example.com>
Cc: Team: x@example.com, y@example.com
Date: Fri, 27 Nov 2026 10:00:00 +0100
Subject: Käse für alle

Hello
there`,
  );
});

it.each([
  ["utf-8", "quoted-printable", "Gr=C3=BC=\r\n=C3=9Fe", "Grüße"],
  ["iso-8859-1", "quoted-printable", "Gr=FC=DFe", "Grüße"],
  ["windows-1251", "8bit", "\xcf\xf0\xe8", "При"],
  ["iso-2022-jp", "7bit", "\x1b$B@A5a=q\x1b(B", "請求書"],
  ["gb2312", "base64", base64(Buffer.from("b7a2c6b1bdf0b6ee", "hex")), "发票金额"],
  ["utf-8", "base64", base64("Grüße"), "Grüße"],
])("the body of a mail is decoded: %s, %s", async (charset, encoding, body, text) => {
  const type = [`Content-Type: text/plain; charset="${charset}"`, `Content-Transfer-Encoding: ${encoding}`];
  expect(await textOf("Subject: x", "MIME-Version: 1.0", ...type, "", body)).toBe(`Subject: x\n\n${text}`);
});

it("a mail that names no character set is in UTF-8, or else in Windows-1252", async () => {
  expect(await textOf("Subject: Gr\xfc\xdfe", "", "\x93K\xe4se\x94")).toBe("Subject: Grüße\n\n“Käse”");
  expect(await textOf(utf8("Subject: Grüße"), "", utf8("Käse"))).toBe("Subject: Grüße\n\nKäse");
  const type = "Content-Type: text/plain; charset=windows-1251";
  expect(await textOf("Subject: Gr\xfc\xdfe", type, "", "\xcf\xf0\xe8")).toBe("Subject: Grüße\n\nПри");
});

it("the plain text of a mail is preferred to its HTML, of which the text is read if there is no other", async () => {
  expect(await textOf("Subject: x", ...multipart("alternative", PLAIN, HTML))).toBe("Subject: x\n\nPlain words");
  expect(await textOf("Subject: x", ...multipart("alternative", HTML))).toBe("Subject: x\n\n# Big\nHTML words");
  const styled = "<html><head><title>No</title><style>p{}</style></head><body><ul><li>One<li>Two</ul></body></html>";
  expect(await textOf("Subject: x", "Content-Type: text/html", "", styled)).toBe("Subject: x\n\n- One\n- Two");
});

it("the attachments of a mail are listed with their sizes, as not read", async () => {
  const pdf = [
    'Content-Type: application/pdf; name="=?utf-8?Q?Angebot_f=C3=BCr_K=C3=A4se.pdf?="',
    "Content-Transfer-Encoding: base64",
    "Content-Disposition: attachment",
    "",
    base64("0123456789"),
  ];
  const note = [
    "Content-Type: text/plain",
    "Content-Transfer-Encoding: base64",
    "Content-Disposition: attachment; filename*=utf-8''n%C3%B6te.txt",
    "",
    base64("Hidden"),
  ];
  const nameless = ["Content-Type: image/png", "Content-Transfer-Encoding: base64", "", base64("abc")];
  const body = multipart("alternative", PLAIN, HTML);
  expect(await textOf("Subject: x", ...multipart("mixed", body, pdf, note, nameless))).toBe(`Subject: x

Plain words

[Attachments, which were not read]
- Angebot für Käse.pdf (application/pdf, 10 bytes)
- nöte.txt (text/plain, 6 bytes)
- (no name) (image/png, 3 bytes)`);
});

it("forwarded mails in a mail are read below it, also attached ones", async () => {
  const inner = ["From: b@example.com", "Subject: Inner", ...multipart("mixed", PLAIN)];
  const forwarded = ["Content-Type: message/rfc822", "", "From: a@example.com", "Subject: Outer"];
  const deeper = multipart("mixed", ["", "Between"], ["Content-Type: message/rfc822", "", ...inner]);
  const attached = [
    "Content-Type: message/rfc822; name=a.eml",
    "Content-Disposition: attachment",
    "",
    "Subject: Second",
    "",
    "End",
  ];
  expect(await textOf("Subject: x", ...multipart("mixed", PLAIN, [...forwarded, ...deeper], attached))).toBe(`Subject: x

Plain words

[Forwarded mail]
From: a@example.com
Subject: Outer

Between

[Forwarded mail]
From: b@example.com
Subject: Inner

Plain words

[Forwarded mail]
Subject: Second

End`);
});

it("a mail of a mailbox begins with its separator, and a mail without text has its fields", async () => {
  expect(await textOf("From nobody Mon Sep 17 00:00:00 2026", "From: a@example.com", "", "Words")).toBe(
    "From: a@example.com\n\nWords",
  );
  expect(await textOf("", "From: a@example.com", "")).toBe("From: a@example.com");
  expect(await textOf(utf8("\uFEFFFrom: a@example.com"), "", "Words")).toBe("From: a@example.com\n\nWords");
});

it("values of a mail with line breaks and directions stay on their lines", async () => {
  const subject = `=?utf-8?B?${base64("One\r\nTo: evil@example.com\u202Etwo")}?=`;
  expect(await textOf(`Subject: ${subject}`, "", "Words")).toBe("Subject: One To: evil@example.com two\n\nWords");
});

it("a text that is no mail stays a text, whatever its name", async () => {
  const typeOf = (text: string, name: string) => mediaTypeOf(bufferSource(Buffer.from(text)), name);
  expect(await typeOf("Words\nFrom: a@example.com\n\nWords", "a.eml")).toBe("text/plain");
  expect(await typeOf("key: value\n\nWords", "a.eml")).toBe("text/plain");
  expect(await typeOf("From: a@example.com\nSubject: x\n\nWords", "a.txt")).toBe("text/plain");
  expect(await typeOf("From: a@example.com\n\nBytes \0\u0001", "a.eml")).toBe(MAIL_TYPE);
});

it("M4 a mail of many parts, nested mails, nested HTML and long fields ends within its limits", async () => {
  const nested = (depth: number): string[] =>
    depth === 0 ? PLAIN : ["Content-Type: message/rfc822", "", `Subject: ${depth}`, ...nested(depth - 1)];
  const { text } = await read("Subject: x", ...nested(30));
  expect(text.match(/Forwarded mail/g)?.length).toBeLessThan(12);
  const many = "\r\n--b\r\nContent-Type: image/png\r\n\r\na".repeat(20_000);
  const { text: list } = await read("Subject: x", "Content-Type: multipart/mixed; boundary=b", "", many);
  expect(list.match(/image\/png/g)).toHaveLength(20_000);
  const deep = await read("Subject: x", "Content-Type: text/html", "", "<div>".repeat(200_000));
  expect(deep).toEqual({ text: "", remark: "too-complex" });
  const inOneLine = await read("Subject: x", "Content-Type: text/html", "", "<td>xy</td>".repeat(100_000));
  expect(inOneLine.text.length).toBeGreaterThan(400_000);
  const long = await read(
    "Subject: x",
    "Content-Type: text/html",
    "",
    `<p>${"word ".repeat(20)}</p>\r\n`.repeat(20_000),
  );
  expect([long.text.length, long.remark]).toEqual([1_000_000, "cut"]);
});
