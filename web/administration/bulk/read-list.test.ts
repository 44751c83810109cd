import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { decodeText } from "./decode-text.ts";
import { readList } from "./read-list.ts";

/** Reads a pasted list. @returns addresses with their notes, and problems */
const pasted = (text: string) => shortened(readList(text, false));
const filed = (text: string) => shortened(readList(text, true));
const shortened = (lines: ReturnType<typeof readList>) =>
  lines.map(({ address, note, problem }) =>
    [address, ...(note === "" ? [] : [note]), ...(problem ? [problem] : [])].join("|"),
  );

describe("pasted lists", () => {
  test.each([
    ["a@x.org\nb@x.org", ["a@x.org", "b@x.org"]],
    ["a@x.org\r\nb@x.org\r\rc@x.org\r\n", ["a@x.org", "b@x.org", "c@x.org"]],
    ["a@x.org, b@x.org; c@x.org", ["a@x.org", "b@x.org", "c@x.org"]],
    ["a@x.org b@x.org", ["a@x.org", "b@x.org"]],
    ["Ada Lovelace <ada@example.org>", ["ada@example.org|Ada Lovelace"]],
    [
      '"Lovelace, Ada" <ada@example.org>, Eve <eve@example.org>',
      ["ada@example.org|Lovelace, Ada", "eve@example.org|Eve"],
    ],
    ["Lovelace, Ada <ada@example.org>; Mia <mia@x.org>", ["ada@example.org|Lovelace, Ada", "mia@x.org|Mia"]],
    ["ada@example.org, Ada, 5b", ["ada@example.org|Ada, 5b"]],
    ["Ada; 5b; ada@example.org", ["ada@example.org|Ada, 5b"]],
    ["Ada ada@example.org", ["ada@example.org|Ada"]],
    ["a@x.org, Ada, b@x.org, Bob", ["a@x.org", "b@x.org"]],
    ["mailto:ada@example.org", ["ada@example.org"]],
    ["(ada@example.org).", ["ada@example.org"]],
    ["\u200Bada@example.org\u00A0", ["ada@example.org"]],
    ["<ada@example.org>", ["ada@example.org"]],
    ["ada@example.org\n\nnobody\nada@", ["ada@example.org", "nobody|no-address", "ada@|invalid-address"]],
    ["a@x.org\nA@X.ORG\na+tag@x.org", ["a@x.org", "A@X.ORG|duplicate", "a+tag@x.org"]],
    ['O"Brien ob@x.org', ['ob@x.org|O"Brien']],
    ["", []],
    [" \n\t\n ", []],
    ["nobody", ["nobody|no-address"]],
  ])("a pasted %j has the addresses %j", (text, expected) => expect(pasted(text)).toEqual(expected));

  it("a pasted list names the lines of its addresses", () => {
    expect(readList("a@x.org\n\nb@x.org, c@x.org", false).map(({ line }) => line)).toEqual([1, 3, 3]);
  });

  it("cells that were copied from a spreadsheet are read as a table", () => {
    expect(pasted('Name\tEmail\n"Ada ""A"" L"\tada@x.org\nEve, E\teve@x.org')).toEqual([
      'ada@x.org|Ada "A" L',
      "eve@x.org|Eve, E",
    ]);
  });
});

describe("CSV files", () => {
  test.each([
    [
      "German, semicolons",
      "Vorname;Nachname;E-Mail\r\nÄnne;Müller, geb. Meier;anne@x.org\r\n",
      ["anne@x.org|Änne, Müller, geb. Meier"],
    ],
    ["Japanese, commas", "氏名,メールアドレス\n山田,yamada@x.org", ["yamada@x.org|山田"]],
    ["Arabic, tabs", "الاسم\tالبريد\nليلى\tlayla@x.org", ["layla@x.org|ليلى"]],
    ["no header", "ada@x.org,Ada\neve@x.org,Eve", ["ada@x.org|Ada", "eve@x.org|Eve"]],
    ["one column", "Email\nada@x.org\neve@x.org\n", ["ada@x.org", "eve@x.org"]],
    ["separators in quotes", 'Mail;Note\nada@x.org;"a;b, c"\n', ["ada@x.org|a;b, c"]],
    ["line ends in quotes", 'Mail,Note\nada@x.org,"a\nb"\neve@x.org,c\n', ["ada@x.org|a b", "eve@x.org|c"]],
    ["names beside addresses", 'Mail\n"Ada, L <ada@x.org>"\n', ["ada@x.org|Ada, L"]],
    ["a second column with some addresses", "a@x.org,p@x.org\nb@x.org,\nc@x.org,", ["a@x.org", "b@x.org", "c@x.org"]],
    [
      "a line without an address",
      "Mail,Name\nada@x.org,Ada\n,Eve\nx@,Tom",
      ["ada@x.org|Ada", "Eve|no-address", "x@|Tom|invalid-address"],
    ],
    ["no address", "Name,Class\nAda,5b", ["Name,Class|no-address", "Ada,5b|no-address"]],
    ["nothing", "", []],
  ])("a CSV file with %s is read", (_, text, expected) => expect(filed(text)).toEqual(expected));

  test.each([
    ["UTF-8", [...new TextEncoder().encode("Müller")]],
    ["UTF-8 with a byte order mark", [0xef, 0xbb, 0xbf, ...new TextEncoder().encode("Müller")]],
    ["UTF-16LE", [0xff, 0xfe, ...[..."Müller"].flatMap((sign) => [sign.charCodeAt(0), 0])]],
    ["UTF-16BE", [0xfe, 0xff, ...[..."Müller"].flatMap((sign) => [0, sign.charCodeAt(0)])]],
    ["Windows-1252", [0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72]],
  ])("a file in %s is decoded", (_, bytes) => expect(decodeText(new Uint8Array(bytes))).toBe("Müller"));
});

const name = fc.stringMatching(/^[a-z]{1,8}$/);
const word = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !/[@"<]/.test(text) && /\w/.test(text));

it("every address of a CSV file is found, whatever stands in the cells beside it", () => {
  const rows = fc.uniqueArray(fc.tuple(name, word, word), {
    minLength: 1,
    maxLength: 20,
    selector: ([first]) => first,
  });
  fc.assert(
    fc.property(rows, fc.constantFrom(",", ";", "\t"), fc.boolean(), (people, separator, hasHeader) => {
      const quoted = (cell: string) => `"${cell}"`;
      const lines = people.map(([first, a, b]) => [quoted(a), `${first}@x.org`, quoted(b)].join(separator));
      const text = [...(hasHeader ? [["a", "b", "c"].join(separator)] : []), ...lines].join("\r\n");
      expect(readList(text, true).map(({ address }) => address)).toEqual(people.map(([first]) => `${first}@x.org`));
    }),
  );
});

it("no text makes the reader fail, and it returns no address twice", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.boolean(), (text, isFile) => {
      const valid = readList(text, isFile).filter(({ problem }) => problem === null);
      expect(new Set(valid.map(({ address }) => address.toLowerCase())).size).toBe(valid.length);
    }),
  );
});

it("10,000 lines are read", () => {
  const text = Array.from({ length: 10_000 }, (_, index) => `Pupil ${index};p${index}@example.org`).join("\n");
  expect(readList(text, true)).toHaveLength(10_000);
  expect(readList(text, false).every(({ problem }) => problem === null)).toBe(true);
});
