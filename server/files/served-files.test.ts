import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FILE_NAME_HEADER, fileKindOf, type Upload } from "#contract/files/files.ts";
import { filePaths } from "#contract/files/paths.ts";
import { cleanFileName } from "#contract/text/file-name.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { polyglotsOf } from "../../testing/files/polyglots.ts";
import { putFile, uploadFile } from "../../testing/files/upload.ts";

let app: TestApp;
let ada: TestAccount;
beforeAll(async () => {
  app = await startTestApp();
  ada = await signUp(app);
});
afterAll(() => app[Symbol.asyncDispose]());

const FILE_POLICY = "sandbox; default-src 'none'";
const call = (method: string, path: string, headers: Record<string, string> = {}) =>
  app.call(method, path, { token: ada.token, headers });

describe("M3 files that are documents or scripts too", () => {
  it.each(polyglotsOf("hit()"))(
    "M3 the answers of a polyglot file are attachments or JSON, which no browser runs: $name",
    async (polyglot) => {
      const { id, type } = await uploadFile(app, { ...ada, ...polyglot });
      const ranges = ["bytes=0-3", "bytes=-1", "bytes=9999999-", "bytes=x"].map((range) => ({ range }));
      for (const headers of [{}, ...ranges, { accept: "text/html" }, { "if-none-match": "*" }]) {
        const { status, headers: answered } = await call("GET", filePaths.file(id), headers);
        expect([headers, status]).toEqual([headers, 200]);
        expect(Object.fromEntries(answered)).toMatchObject({
          "content-type": fileKindOf(type) === "picture" ? type : "application/octet-stream",
          "content-disposition": expect.stringMatching(/^attachment; /),
          "content-security-policy": FILE_POLICY,
          "x-content-type-options": "nosniff",
          "x-frame-options": "DENY",
          "cross-origin-resource-policy": "same-origin",
          "cache-control": "no-store",
        });
      }
      const others = [
        await call("HEAD", filePaths.file(id)),
        await call("GET", filePaths.fileText(id)),
        await app.call("GET", filePaths.file(id)),
        await app.call("GET", filePaths.file(id), { headers: { cookie: `access_token=${ada.token}` } }),
        await app.call("GET", `${filePaths.file(id)}?access_token=${ada.token}`),
        await call("GET", filePaths.file(crypto.randomUUID())),
        await call("GET", filePaths.file("%3Cscript%3E")),
        await call("POST", filePaths.file(id)),
      ];
      expect(others.map(({ status }) => status)).toEqual([200, 200, 401, 401, 401, 404, 400, 405]);
      for (const { headers } of others) {
        expect(headers.get("x-content-type-options")).toBe("nosniff");
        expect(headers.get("content-type") ?? "application/json").toMatch(/^application\/(?:problem\+)?json/);
        expect(headers.get("content-security-policy")).toMatch(/default-src 'none'/);
      }
    },
  );
});

/** Returns the names in a `Content-Disposition`, read as RFC 6266 says. */
function namesIn(disposition: string): [string | undefined, string] {
  const [, quoted, encoded = ""] =
    /^attachment; filename="([^"\\\p{Cc}]*)"; filename\*=UTF-8''([\w.~!#$&+^`|%-]*)$/u.exec(disposition) ?? [];
  return [quoted, decodeURIComponent(encoded)];
}

describe("M5 hostile names", () => {
  it.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\x\\boot.ini", "boot.ini"],
    ["a\r\nSet-Cookie: a=b\r\n\r\n<script>.txt", "a Set-Cookie: a=b <script>.txt"],
    ["photo\u202Egpj.txt", "photogpj.txt"],
    ["\u0000\u0007\u2028.txt", "file.txt"],
    [`a"b\\c"; filename="page.html`, "c; filename=page.html"],
    ["%2e%2e%2fx%00.txt", "2e2e2fx00.txt"],
    ["日本語.txt", "file.txt"],
    ["👩‍👩‍👧.txt", "file.txt"],
    ["naïve (1)'*!.txt", "naive (1)'*!.txt"],
    ["CON.txt", "CON.txt"],
    [".hidden", "file.hidden"],
    [`${"é".repeat(4000)}.txt`, `${"e".repeat(125)}.txt`],
  ])("the hostile name %j is one name in the headers of a download", async (name, ascii) => {
    const file = await uploadFile(app, { ...ada, name });
    expect(file.name).toBe(cleanFileName(name));
    const { headers } = await call("GET", filePaths.file(file.id));
    expect([...headers.keys()]).not.toContain("set-cookie");
    const [quoted, encoded] = namesIn(headers.get("content-disposition") ?? "");
    expect(encoded).toBe(file.name);
    expect(quoted).toBe(ascii);
  });

  it("an upload without a name, or with an empty or a second one, does no harm", async () => {
    const put = async (headers: [string, string][]) => {
      const url = `${app.url}/api${filePaths.file(crypto.randomUUID())}`;
      const all: [string, string][] = [
        ["authorization", `Bearer ${ada.token}`],
        ["content-type", "application/octet-stream"],
      ];
      const response = await fetch(url, { method: "PUT", headers: [...all, ...headers], body: "A note" });
      return ((await response.json()) as Upload).file?.name;
    };
    expect(await put([])).toBe("file");
    expect(await put([[FILE_NAME_HEADER, ""]])).toBe("file");
    const twice = ["..%2Fa.txt", "b.txt"].map((name): [string, string] => [FILE_NAME_HEADER, name]);
    expect(await put(twice)).toBe("a.txt, b.txt");
  });

  it.each(["%", "%E0%A4%A", "%C3%28", "a%zz"])("refuses a name that is not percent-encoded: %s", async (name) => {
    const headers = { [FILE_NAME_HEADER]: name };
    const body = Buffer.from("A note");
    const { status } = await app.call("PUT", filePaths.file(crypto.randomUUID()), { token: ada.token, headers, body });
    expect(status).toBe(400);
  });

  it.each(["application/json", "text/plain", "image/png", "multipart/form-data; boundary=x"])(
    "G3 refuses an upload of the type %s",
    async (type) => {
      const [headers, body] = [{ "content-type": type }, Buffer.from('{"a":1}')];
      const { status } = await app.call("PUT", filePaths.file(crypto.randomUUID()), {
        token: ada.token,
        headers,
        body,
      });
      expect(status).toBe(415);
    },
  );

  it("a hostile name cannot begin an upload that its content does not allow", async () => {
    const bytes = Buffer.from("4d5a900003000000", "hex");
    for (const name of ["a.txt", "a.png", "a.pdf\u202Eexe", "a.docx"]) {
      expect((await putFile(app, { ...ada, name, bytes })).status).toBe(415);
    }
  });
});
