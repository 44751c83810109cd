import { describe, expect, it } from "vitest";
import { KeyFilter } from "./key-filter.ts";

const KEY = "sk-canary-0123456789";

function told(pieces: readonly string[], key: string | undefined = KEY): string[] {
  const filter = new KeyFilter(key);
  return [...pieces.map((piece) => filter.push(piece)), filter.end()];
}

describe("I8 a provider's key", () => {
  it("a key is masked wherever it is split, once or several times", () => {
    for (let cut = 0; cut <= KEY.length; cut++) {
      for (let second = cut; second <= KEY.length; second++) {
        const pieces = [`a ${KEY.slice(0, cut)}`, KEY.slice(cut, second), `${KEY.slice(second)} b`];
        const text = told(pieces).join("");
        // Its first characters are emitted before the key can be recognised; they do not reveal it.
        expect(text).toMatch(/^a (?:sk-cana|sk-can|sk-ca|sk-c|sk-|sk|s)?••• b$/);
      }
    }
    const characters = [...`${KEY}${KEY} and ${KEY}`];
    expect(told(characters).join("")).not.toContain(KEY.slice(0, 8));
  });

  it("words that begin like a key are not delayed", () => {
    expect(told(["Words", " sk", "s"])).toEqual(["Words", " sk", "s", ""]);
  });

  it("an incomplete key is emitted like other text", () => {
    const pieces = ["sk-canary-", "0123 x", "sk-canary-01"];
    expect(told(pieces).join("")).toBe(pieces.join(""));
  });

  it("a short or missing key is not masked", () => {
    expect(told(["ollama ", "ollama"], "ollama").join("")).toBe("ollama ollama");
    expect(new KeyFilter(undefined).push("any")).toBe("any");
  });
});
