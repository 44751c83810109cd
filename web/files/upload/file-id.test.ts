import { expect, test } from "vitest";
import { fileIdSchema } from "#contract/files/files.ts";
import { newFileId } from "./file-id.ts";

test("ids of files are different UUIDs of version 4, as the server accepts them", () => {
  const ids = Array.from({ length: 50 }, newFileId);
  for (const id of ids) {
    expect(fileIdSchema.safeParse(id).success).toBe(true);
    expect(id).toMatch(/^.{8}-.{4}-4.{3}-[89ab].{3}-.{12}$/);
  }
  expect(new Set(ids).size).toBe(50);
});
