import fc from "fast-check";
import { expect, it } from "vitest";
import { guessable, type PasswordOwner } from "./passwords.ts";

const nobody: PasswordOwner = { firstname: "", lastname: "", username: "", email: "", productName: "" };
const isCommon = (word: string) => ["password", "monkey", "12345678"].includes(word);

it.each([
  ["password", "common"],
  ["PASSWORD", "common"],
  ["ｐａｓｓｗｏｒｄ", "common"],
  ["password2026", "common"],
  ["!!monkey!!", "common"],
  ["12345678", "common"],
  ["monkey71930482", null],
  ["my password here", null],
  ["", null],
])("classifies the password %j as %j", (password, reason) => {
  expect(guessable(password, nobody, isCommon)).toBe(reason);
});

it.each([
  ["ada1815!", "personal"],
  ["Ada.King@Example.org", "personal"],
  ["adaadaada", "personal"],
  ["1815adaparley", "personal"],
  ["Parley Parley", "personal"],
  ["Augusta1815", "personal"],
  ["byron-Augusta!", "personal"],
  ["augustabyronada2026", "personal"],
  ["augustas", null],
  ["adamantium", null],
  ["ada loves fjords", null],
])("classifies the password %j, compared with the owner's names, as %j", (password, reason) => {
  const owner = {
    firstname: "Augusta",
    lastname: "Byron",
    username: "ada",
    email: "ada.king@example.org",
    productName: "Parley",
  };
  expect(guessable(password, owner, () => false)).toBe(reason);
});

it("a password contains a name surrounded by any digits and marks, but not inside a longer word", () => {
  const marks = fc.stringMatching(/^[\d !.#-]{0,8}$/);
  fc.assert(
    fc.property(marks, marks, (before, after) => {
      const owner = { ...nobody, username: "lovelace" };
      expect(guessable(`${before}LoveLace${after}`, owner, () => false)).toBe("personal");
      expect(guessable(`${before}qwzvkfjmd${after}`, owner, () => false)).toBeNull();
    }),
  );
});
