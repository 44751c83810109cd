import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { useEffect } from "react";
import { MemoryRouter, Route, Routes } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeApi } from "../testing/fakes/fake-api.ts";
import "../locales/i18n.ts";
import { tabCount } from "../ui/tab-count.ts";
import { Titled, useNameTab } from "./titled.tsx";

beforeEach(() => {
  fakeApi({
    "GET /auth/config": {
      json: { productName: "Salon", passwordMin: 8, passwordPolicy: "plain" as const, registrationOpen: true },
    },
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Shown({ name }: { name: string | null }) {
  const nameTab = useNameTab();
  useEffect(() => nameTab(name), [nameTab, name]);
  return <p>shown</p>;
}

const page = (name: string | null) => (
  <MemoryRouter>
    <Routes>
      <Route element={<Titled page="chat" />}>
        <Route index element={<Shown name={name} />} />
      </Route>
    </Routes>
  </MemoryRouter>
);

test("the tab's title names the page's content, or the page if that has no name", async () => {
  const { rerender } = render(page("Tides & <moons>"));
  expect(screen.getByText("shown")).toBeTruthy();
  await waitFor(() => expect(document.title).toBe("Tides & <moons> · Salon"));
  rerender(page(null));
  expect(document.title).toBe("Chat · Salon");
});

test("the tab's title shows the number of unseen changes", async () => {
  render(page("Tides"));
  act(() => tabCount.set(2));
  expect(document.title).toMatch(/^\(2\) Tides · /);
  act(() => tabCount.set(0));
  expect(document.title).toMatch(/^Tides · /);
});
