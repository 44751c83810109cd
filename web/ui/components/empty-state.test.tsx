import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { ANSWER_LEAF, QUESTION_LEAF } from "../logo-outlines.ts";
import { EmptyState } from "./empty-state.tsx";

afterEach(cleanup);

const leafOf = (outline: string) => document.querySelector(`path[d="${outline}"]`)?.getAttribute("class");

test("an empty list is drawn as two dashed leaves, which screen readers skip", () => {
  render(<EmptyState title="Nothing yet" text="It will be listed here." />);
  expect(screen.getByText("Nothing yet")).toBeDefined();
  expect(screen.getByText("It will be listed here.")).toBeDefined();
  expect(screen.queryByRole("img")).toBeNull();
  expect(document.querySelector("svg")?.getAttribute("stroke-dasharray")).not.toBeNull();
  expect(leafOf(QUESTION_LEAF)).toBe("stroke-accent");
  expect(leafOf(ANSWER_LEAF)).toBe("stroke-muted");
});

test("a question without an answer is drawn as a full and a dashed leaf", () => {
  render(<EmptyState drawing="unanswered" title="Nothing was found" />);
  expect(leafOf(QUESTION_LEAF)).toBe("fill-accent");
  expect(leafOf(ANSWER_LEAF)).toBe("stroke-muted");
});
