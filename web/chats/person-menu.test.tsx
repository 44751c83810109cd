import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import "../testing/english-texts.ts";
import { PersonMenu } from "./person-menu.tsx";

afterEach(cleanup);

test("the account is called User until its name is known", () => {
  const { rerender } = render(<PersonMenu username={null} />);
  expect(screen.getByRole("button").textContent).toMatch(/User$/);
  rerender(<PersonMenu username="ada" />);
  expect(screen.getByRole("button").textContent).toMatch(/ada$/);
});
