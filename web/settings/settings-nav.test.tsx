import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter, useLocation } from "react-router";
import { afterEach, expect, test } from "vitest";
import { useGoToSettings } from "../ui/use-go-to-settings.ts";
import "../testing/english-texts.ts";
import { SettingsNav } from "./settings-nav.tsx";

afterEach(cleanup);

let shownLocation = "";

function Page() {
  const { pathname, search } = useLocation();
  const goToSettings = useGoToSettings();
  shownLocation = `${pathname}${search}`;
  if (pathname.startsWith("/settings")) return <SettingsNav section="account" />;
  return (
    <button type="button" onClick={() => goToSettings("account")}>
      Settings
    </button>
  );
}

const openAt = (at: string) =>
  render(
    <MemoryRouter initialEntries={[at]}>
      <Page />
    </MemoryRouter>,
  );
const press = (role: "button" | "link", name: string) =>
  act(async () => void fireEvent.click(screen.getByRole(role, { name })));

test.each(["/chat?c=a", "/chat?temporary=1"])(
  "the back link of the settings leads from any section to %s, which was open",
  async (open) => {
    openAt(open);
    await press("button", "Settings");
    expect(shownLocation).toBe("/settings/account");
    await press("link", "Security");
    expect(shownLocation).toBe("/settings/security");
    await press("link", "Back to chats");
    expect(shownLocation).toBe(open);
  },
);

test("the back link of the settings leads to the chats if they were opened by a link", async () => {
  openAt("/settings/security");
  await press("link", "Back to chats");
  expect(shownLocation).toBe("/chat");
});
