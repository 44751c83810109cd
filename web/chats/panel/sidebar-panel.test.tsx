import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { Provider } from "react-redux";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import "../../testing/english-texts.ts";
import { fakeApi } from "../../testing/fakes/fake-api.ts";
import { createChatsStore } from "../state/chats-store.ts";
import { SidebarPanel } from "./sidebar-panel.tsx";
import { toggleSidebar } from "./sidebar-shape.ts";

const WIDTH_PX = 400;

beforeEach(() => {
  localStorage.clear();
  fakeApi({});
  vi.stubGlobal("innerWidth", 1200);
  // Without layout: the panel has its stored width, or else that of the test.
  vi.stubGlobal(
    "ResizeObserver",
    class {
      readonly #onResize: (entries: unknown[]) => void;
      constructor(onResize: (entries: unknown[]) => void) {
        this.#onResize = onResize;
      }
      observe() {
        this.#onResize([{ borderBoxSize: [{ inlineSize: WIDTH_PX }] }]);
      }
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  document.dir = "";
  vi.unstubAllGlobals();
});

function open() {
  render(
    <MemoryRouter>
      <Provider store={createChatsStore()}>
        <SidebarPanel username="ada" onLogout={() => {}} onBegun={() => {}} />
      </Provider>
    </MemoryRouter>,
  );
}

const handle = () => screen.findByRole("separator", { name: "Width of the list of chats" });
const panel = () => screen.getByRole("navigation").parentElement as HTMLElement;
const press = async (key: string) => {
  const separator = await handle();
  await act(async () => void fireEvent.keyDown(separator, { key }));
};
const button = (name: string) => screen.getByRole("button", { name });

test("the sidebar's handle is moved by keys within its limits, and the width is stored", async () => {
  open();
  expect(panel().style.width).toBe("");
  const separator = await handle();
  await waitFor(() => expect(separator.getAttribute("aria-valuenow")).toBe("400"));
  expect((await handle()).getAttribute("aria-valuetext")).toBe("33%");
  await press("ArrowRight");
  expect(panel().style.width).toBe("416px");
  await press("ArrowLeft");
  expect(panel().style.width).toBe("384px");
  await press("Home");
  expect(panel().style.width).toBe(`${(await handle()).getAttribute("aria-valuemin")}px`);
  await press("End");
  expect(panel().style.width).toBe("600px");
  cleanup();
  open();
  expect(panel().style.width).toBe("600px");
  fireEvent.doubleClick(await handle());
  expect(panel().style.width).toBe("");
});

test("the arrow keys of the sidebar's handle are mirrored from right to left", async () => {
  document.dir = "rtl";
  open();
  await press("ArrowLeft");
  expect(panel().style.width).toBe("416px");
});

test("the sidebar collapses to a rail and back with the focus, also in the next visit", async () => {
  open();
  expect(screen.queryByRole("button", { name: "Show the list of chats" })).toBeNull();
  button("Hide the list of chats").focus();
  fireEvent.click(button("Hide the list of chats"));
  expect(document.activeElement).toBe(button("Show the list of chats"));
  expect(button("Show the list of chats").dataset.tooltip).toBe("Show the list of chats");
  cleanup();
  open();
  button("Show the list of chats").focus();
  fireEvent.click(button("Show the list of chats"));
  expect(document.activeElement).toBe(button("Hide the list of chats"));
  expect(screen.queryByRole("button", { name: "Show the list of chats" })).toBeNull();
});

test("a collapse by shortcut leaves the focus elsewhere alone", async () => {
  open();
  act(toggleSidebar);
  expect(document.activeElement).toBe(document.body);
  expect(button("Show the list of chats")).toBeTruthy();
});

test("an invalid stored width of the sidebar is ignored", () => {
  localStorage.setItem("parley.sidebar-width", "9e9x");
  open();
  expect(panel().style.width).toBe("");
});
