import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { useReturnFocus } from "./use-return-focus.ts";

afterEach(cleanup);

let giveBack: (event: Event) => void;

function Drawer({ isAsking, names }: { isAsking: boolean; names: string[] }) {
  giveBack = useReturnFocus(isAsking);
  return (
    <>
      <div data-testid="drawer" tabIndex={-1}>
        <ul>
          {names.map((name) => (
            <li key={name}>
              <button type="button">{name}</button>
            </li>
          ))}
        </ul>
      </div>
      <input aria-label="Elsewhere" />
    </>
  );
}

const line = (name: string) => screen.getByRole("button", { name });

function ask() {
  const { rerender } = render(<Drawer isAsking={false} names={["One", "Two"]} />);
  line("Two").focus();
  rerender(<Drawer isAsking names={["One", "Two"]} />);
  return rerender;
}

test("a closed dialog restores the focus to the element that opened it", () => {
  ask();
  line("Two").blur();
  giveBack(new Event("close"));
  expect(document.activeElement).toBe(line("Two"));
});

test("the item beside a removed opener takes the focus, even from a drawer's focus trap", () => {
  const rerender = ask();
  line("Two").blur();
  rerender(<Drawer isAsking names={["One"]} />);
  screen.getByTestId("drawer").focus();
  giveBack(new Event("close"));
  expect(document.activeElement).toBe(line("One"));
});

test("a focus that was moved elsewhere stays when a dialog closes", () => {
  ask();
  screen.getByLabelText("Elsewhere").focus();
  giveBack(new Event("close"));
  expect(document.activeElement).toBe(screen.getByLabelText("Elsewhere"));
});
