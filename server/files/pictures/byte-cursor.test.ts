import { describe, expect, it } from "vitest";
import { bufferSource } from "../../../testing/files/buffer-source.ts";
import { ByteCursor } from "./byte-cursor.ts";
import { BrokenPicture } from "./picture.ts";

describe("a cursor", () => {
  const bytes = Buffer.from("0123456789");

  it("a cursor takes, skips and returns to positions, with one read", async () => {
    const source = bufferSource(bytes);
    const cursor = new ByteCursor(source);
    expect((await cursor.take(3)).toString()).toBe("012");
    cursor.skip(2);
    expect((await cursor.ahead(1)).toString()).toBe("56789");
    expect(cursor).toMatchObject({ position: 5, remaining: 5 });
    cursor.moveTo(1);
    expect((await cursor.take(2)).toString()).toBe("12");
    expect(source.reads).toEqual([10]);
  });

  it("a cursor does not pass the end of its source", async () => {
    const cursor = new ByteCursor(bufferSource(bytes));
    cursor.skip(10);
    expect(() => cursor.skip(1)).toThrow(BrokenPicture);
    await expect(cursor.take(1)).rejects.toThrow(BrokenPicture);
    await expect(cursor.take(0)).resolves.toHaveLength(0);
  });
});
