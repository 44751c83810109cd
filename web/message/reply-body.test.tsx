import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import "../testing/english-texts.ts";

const part = vi.hoisted(() => Promise.withResolvers<void>());
vi.mock("../markdown/rich-reply.tsx", async (original) => {
  await part.promise;
  return original();
});

const { richReplyModule, ReplyBody } = await import("./reply-body.tsx");

afterEach(cleanup);

const reply = (isGrowing: boolean) => <ReplyBody text="**bold**" isGrowing={isGrowing} prefix="m1" />;

test("a finished reply stays hidden until Markdown is loaded, a growing one shows its text", async () => {
  const { unmount } = render(reply(false));
  expect(screen.getByText("**bold**").className).toContain("reply-held");
  unmount();
  render(reply(true));
  expect(screen.getByText("**bold**").className).not.toContain("reply-held");

  part.resolve();
  await act(richReplyModule.load);
  expect((await screen.findByText("bold")).tagName).toBe("STRONG");
});

test("nothing is painted before the Markdown once its module is loaded", async () => {
  part.resolve();
  await richReplyModule.load();
  const { container } = render(reply(false));
  expect(container.querySelector("strong")?.textContent).toBe("bold");
});
