import { expect, it } from "vitest";
import { readDisclosure } from "./disclosure.ts";

const OPEN = "<details><summary>More</summary>\n\n";

it.each([
  [`${OPEN}Body\n</details>`, "Body\n"],
  [`${OPEN}<!-- </details> -->Body</details>`, "<!-- </details> -->Body"],
  [`${OPEN}<!-- never closed </details>`, "<!-- never closed "],
  [`${OPEN}\`</details>\` Body</details>`, "`</details>` Body"],
])("the body of the disclosure %j is %j", (block, body) => {
  const disclosure = readDisclosure(block);
  expect(block.slice(disclosure?.start, disclosure?.end)).toBe(body.startsWith("\n") ? body : `\n\n${body}`);
});

it.each(["<!--", "`", "<details>", "```a`\n"])("I9 a disclosure with very many %j is read in linear time", (text) => {
  const block = OPEN + text.repeat(50_000);
  expect(readDisclosure(block)?.isClosed).toBe(false);
});
