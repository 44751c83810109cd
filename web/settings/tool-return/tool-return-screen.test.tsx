import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { StrictMode } from "react";
import { MemoryRouter, Route, Routes, useLocation } from "react-router";
import { afterEach, beforeEach, expect, test } from "vitest";
import { forgetSession, signIn } from "../../accounts/session/session.ts";
import "../../locales/i18n.ts";
import { ada, type FakeAnswer, fakeApi, problem, tokenFor } from "../../testing/fakes/fake-api.ts";
import { clearNotifications, currentNotifications } from "../../ui/notifications/notify.ts";
import ToolReturnScreen from "./tool-return-screen.tsx";

const answered = "?code=c0de&state=s1&iss=https%3A%2F%2Fid.example";
const connected = { server: { id: "file:notes", name: "Notes" }, tools: 2 };

function ShownLocation() {
  const { pathname, search, state } = useLocation();
  return <p data-testid="location">{pathname + search + (state ? JSON.stringify(state) : "")}</p>;
}

/** Returns from an authorisation server. Returns the live list of requests with a body. */
async function comeBack(answer: FakeAnswer | null, search = answered) {
  const calls = fakeApi({
    "GET /auth/config": { json: { passwordMin: 8 } },
    ...(answer && { "POST /mcp/sign-in": answer }),
  });
  await act(async () => {
    render(
      <StrictMode>
        <MemoryRouter initialEntries={[`/mcp/return${search}`]}>
          <ShownLocation />
          <Routes>
            <Route path="/mcp/return" element={<ToolReturnScreen />} />
            <Route path="*" element={null} />
          </Routes>
        </MemoryRouter>
      </StrictMode>,
    );
  });
  return () => calls.filter(({ method }) => method === "POST").map(({ path, body }) => [path, body]);
}

const shownLocation = () => screen.getByTestId("location").textContent;
const alertText = async () => (await screen.findByRole("alert")).textContent;
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole("button", { name })));

beforeEach(() => signIn({ access_token: tokenFor("1"), user: ada, emailVerified: true }));
afterEach(() => {
  cleanup();
  forgetSession();
  clearNotifications();
});

test("an answer is sent once, confirmed by the name of the server, and the tools are shown", async () => {
  const sent = await comeBack({ json: connected });
  expect(sent()).toEqual([["/mcp/sign-in", { state: "s1", code: "c0de", iss: "https://id.example" }]]);
  expect(shownLocation()).toBe("/settings/tools");
  expect(currentNotifications().map(({ text }) => text)).toEqual(["Connected to Notes."]);
});

test("a server that lists no tools after its sign-in is connected too", async () => {
  await comeBack({ json: { ...connected, tools: null } });
  expect(currentNotifications()[0]?.text).toMatch(/did not list its tools/);
});

test("the answer leaves the address at once, while its progress is announced", async () => {
  await comeBack(() => new Promise(() => {}));
  expect(shownLocation()).toBe("/mcp/return");
  expect(screen.getByRole("status").textContent).toBe("Finishing the sign-in…");
});

test.each([
  [400, "tool-sign-in-denied", "The sign-in was refused there."],
  [400, "tool-sign-in-expired", "This sign-in took too long. Please begin again."],
  [403, "tool-sign-in-elsewhere", "This sign-in was begun in another session."],
  [400, "tool-sign-in-failed", "The sign-in failed. Please begin again."],
  [404, "not-found", "The sign-in could not be finished. Please begin again."],
])("a refusal by %i %s has its sentence, and leads to the tools", async (status, code, text) => {
  await comeBack(problem(status, code));
  expect(await alertText()).toBe(text);
  await press("Go to your tools");
  expect(shownLocation()).toBe("/settings/tools");
});

test("an error of the authorisation server is sent too, so that the attempt ends", async () => {
  const sent = await comeBack(problem(400, "tool-sign-in-denied"), "?error=access_denied&state=s1");
  expect(sent()).toEqual([["/mcp/sign-in", { state: "s1", error: "access_denied" }]]);
});

test("a person who is signed out sends nothing, and signs in without the code in the address", async () => {
  forgetSession();
  const sent = await comeBack(null);
  expect(await alertText()).toMatch(/^You are signed out here\./);
  await press("Sign in");
  expect([shownLocation(), sent()]).toEqual(['/login{"from":"/settings/tools"}', []]);
});

test("the address without an answer says so", async () => {
  await comeBack(null, "");
  expect(await alertText()).toBe("There is no sign-in to finish at this address.");
});
