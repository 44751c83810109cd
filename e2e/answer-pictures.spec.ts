import { stripedPng } from "../testing/files/picture-encoders.ts";
import { dataUrlOf } from "../testing/provider/scenarios.ts";
import { expect, test } from "./chat-screen.ts";

test("pictures within an answer stand in a row at the side of its text, without the signs of a list @phone", async ({
  chat,
  provider,
}) => {
  provider.next("held");
  await chat.open();
  await chat.send("Draw");
  provider.release("Here are two:\n\n");
  for (const height of [500, 700]) provider.draw(dataUrlOf(stripedPng(800, height)));
  provider.release("\n\nThat is all.");
  provider.finish();
  const answer = chat.messages.last();
  await expect(answer.getByText("That is all.")).toBeVisible();
  const shown = answer.getByRole("button", { name: /^Enlarge / });
  await expect(shown).toHaveCount(2);
  const [first, second] = await Promise.all([shown.first().boundingBox(), shown.last().boundingBox()]);
  const text = await answer.getByText("That is all.").boundingBox();
  expect(Math.abs((first?.x ?? 0) - (text?.x ?? 0))).toBeLessThanOrEqual(1);
  expect(first?.y).toBe(second?.y);
  expect(
    await answer
      .getByRole("list")
      .first()
      .evaluate((list) => getComputedStyle(list).listStyleType),
  ).toBe("none");
});
