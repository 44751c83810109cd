import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import "../../testing/english-texts.ts";

const part = vi.hoisted(() => Promise.withResolvers<void>());
vi.mock("../../markdown/rich-reply.tsx", async (original) => {
  await part.promise;
  return original();
});

const { richReplyModule, ReplyBody } = await import("./reply-body.tsx");

afterEach(cleanup);

const reply = (isGrowing: boolean) => <ReplyBody text="**bold**" isGrowing={isGrowing} prefix="m1" />;

test("a finished reply waits unseen for its form, a growing one shows its words", async () => {
  const { unmount } = render(reply(false));
  expect(screen.getByText("**bold**").className).toContain("reply-held");
  unmount();
  render(reply(true));
  expect(screen.getByText("**bold**").className).not.toContain("reply-held");

  part.resolve();
  await act(richReplyModule.load);
  expect((await screen.findByText("bold")).tagName).toBe("STRONG");
});

test("once the part is there, nothing is painted before the form", async () => {
  part.resolve();
  await richReplyModule.load();
  const { container } = render(reply(false));
  expect(container.querySelector("strong")?.textContent).toBe("bold");
});
