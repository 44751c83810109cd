import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Landmark } from "../components/landmark.tsx";
import { MenuItem } from "../components/menu.tsx";
import { LazyMenu } from "./lazy-menu.tsx";
import { lazyModule } from "./lazy-module.ts";
import { OpenedMenu } from "./opened-menu.tsx";

afterEach(cleanup);

const menu = (props: { trigger: React.ReactElement; isByKey: boolean }) => (
  <OpenedMenu {...props}>
    <MenuItem>First</MenuItem>
    <MenuItem>Second</MenuItem>
  </OpenedMenu>
);

function open() {
  const part = lazyModule(async () => ({ default: menu }));
  render(
    <Landmark as="main">
      <LazyMenu module={part} menuProps={{}} trigger={<button type="button">Choose</button>} />
    </Landmark>,
  );
  const button = screen.getByRole("button", { name: "Choose" });
  expect(button.getAttribute("aria-haspopup")).toBe("menu");
  button.focus();
  return button;
}

test("pressing the button loads its menu and opens it in the button's landmark", async () => {
  const button = open();
  await act(async () => void fireEvent.click(button, { detail: 1 }));
  const shown = await screen.findByRole("menu");
  expect(shown.closest("main")).not.toBeNull();
  expect(document.activeElement).toBe(shown);
  await act(async () => void fireEvent.keyDown(shown, { key: "Escape" }));
  expect(screen.queryByRole("menu")).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Choose" })));
});

test.each([
  ["Enter", (button: HTMLElement) => fireEvent.click(button, { detail: 0 })],
  ["ArrowDown", (button: HTMLElement) => fireEvent.keyDown(button, { key: "ArrowDown" })],
])("opening a lazy menu by %s moves the focus to the first item", async (_, press) => {
  const button = open();
  await act(async () => void press(button));
  await screen.findByRole("menu");
  expect(document.activeElement?.textContent).toBe("First");
});
