import { expect, it } from "vitest";
import { initialsOf } from "./initials.tsx";

it.each([
  ["Ada", "Lovelace", "ada1", "AL"],
  ["élise", "", "e", "É"],
  ["", " ", "ada1", "AD"],
  ["𝒜da", "日本", "x", "𝒜日"],
])("the account %j %j %j has the initials %s", (firstname, lastname, username, initials) => {
  expect(initialsOf({ firstname, lastname, username })).toBe(initials);
});
