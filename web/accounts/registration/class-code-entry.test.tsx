import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { MemoryRouter, Route, Routes, useLocation } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type FakeAnswer, fakeApi, problem } from "../../testing/fakes/fake-api.ts";
import "../../locales/i18n.ts";
import { loadAuthConfig } from "../auth-config.ts";
import { RegisterScreen } from "./register-screen.tsx";

const exchange = "POST /auth/class-code";
const invitation = { inviter: "Ada Lovelace", productName: "Salon", key: "k-9_secret" };
const settings = { productName: "Salon", passwordMin: 8, passwordPolicy: "plain" as const };

function Address() {
  const { pathname, search, hash } = useLocation();
  return <p data-testid="address">{pathname + search + hash}</p>;
}

type Options = { answers?: Record<string, FakeAnswer | readonly FakeAnswer[]>; isOpen?: boolean; path?: string };

/** Opens the registration. Returns the live list of requests that have a body. */
async function openScreen({ answers = {}, isOpen = true, path = "/register" }: Options = {}) {
  const calls = fakeApi({
    "GET /auth/config": { json: { ...settings, registrationOpen: isOpen } },
    [exchange]: { json: invitation },
    ...answers,
  });
  await loadAuthConfig();
  await act(async () => {
    render(
      <StrictMode>
        <MemoryRouter initialEntries={[path]}>
          <Address />
          <Routes>
            <Route path="/register" element={<RegisterScreen />} />
            <Route path="*" element={null} />
          </Routes>
        </MemoryRouter>
      </StrictMode>,
    );
  });
  return { sent: () => calls.filter(({ body }) => body !== undefined).map(({ path: to, body }) => [to, body]) };
}

const field = async () => screen.findByLabelText<HTMLInputElement>("Class code");
const type = async (value: string) => fireEvent.change(await field(), { target: { value } });
const submit = async () => {
  const { form } = await field();
  await act(async () => void (form && fireEvent.submit(form)));
};
const errorOf = async () => {
  const note = (await field()).getAttribute("aria-describedby");
  return (await field()).getAttribute("aria-invalid") ? document.getElementById(note ?? "")?.textContent : null;
};

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("an open registration has a button that opens the field for a class code and focuses it", async () => {
  await openScreen();
  fireEvent.click(await screen.findByRole("button", { name: "I have a class code" }));
  expect(document.activeElement).toBe(await field());
  expect((await field()).autocomplete).toBe("off");
});

test("a closed registration offers the field for a class code at once, without taking the focus", async () => {
  await openScreen({ isOpen: false });
  expect(await field()).toBeTruthy();
  expect(screen.queryByRole("button", { name: "I have a class code" })).toBeNull();
  expect(document.activeElement).not.toBe(await field());
});

test.each([
  ["abcd", "ABCD"],
  ["abcde", "ABCD-E"],
  [" ab cd-ef gh ", "ABCD-EFGH"],
  ["oOlI2345", "0011-2345"],
])("the field shows the class code %j as %s", async (typed, shown) => {
  await openScreen({ isOpen: false });
  await type(typed);
  expect((await field()).value).toBe(shown);
});

test("the field does not move the caret of a change in the middle of a class code", async () => {
  await openScreen({ isOpen: false });
  await type("ABCD-EFGH");
  const input = await field();
  input.value = "ABxCD-EFGH";
  input.setSelectionRange(3, 3);
  fireEvent.input(input);
  expect([(await field()).value, (await field()).selectionStart]).toEqual(["ABxCD-EFGH", 3]);
});

test("a class code opens the registration of its invitation, with one request, and survives a reload", async () => {
  const { sent } = await openScreen({ isOpen: false });
  await type("abcd efgh");
  await submit();
  expect(await screen.findByText(/Ada Lovelace/)).toBeTruthy();
  expect(sent()).toEqual([["/auth/class-code", { code: "ABCDEFGH" }]]);
  cleanup();
  const reloaded = await openScreen({ isOpen: false, answers: { "POST /auth/invitation": { json: invitation } } });
  expect(await screen.findByText(/Ada Lovelace/)).toBeTruthy();
  expect(reloaded.sent()).toEqual([["/auth/invitation", { key: invitation.key }]]);
});

test("a class code in the address fills the field and leaves the address, but is not sent by itself", async () => {
  const { sent } = await openScreen({ path: "/register?email=ada@example.com#code=abcd-efgh" });
  expect((await field()).value).toBe("ABCD-EFGH");
  expect(screen.getByTestId("address").textContent).toBe("/register?email=ada@example.com");
  expect(sent()).toEqual([]);
  await submit();
  expect(sent()).toHaveLength(1);
});

test.each(["", "ABCD-EFG", "ABCD-EFGHJ", "ABCD-EF*H"])("the class code %j is not sent", async (typed) => {
  const { sent } = await openScreen({ isOpen: false });
  await type(typed);
  await submit();
  expect(await errorOf()).toBe("A class code has eight letters and digits");
  expect(screen.getByRole("alert").textContent).toBe("A class code has eight letters and digits");
  expect(sent()).toEqual([]);
  await type("A");
  expect(await errorOf()).toBeNull();
});

test("a wrong class code has its sentence under the field, which has the focus", async () => {
  await openScreen({ isOpen: false, answers: { [exchange]: [problem(400, "bad-class-code"), { json: invitation }] } });
  await type("ABCDEFGH");
  await submit();
  const sentence = "This code is not valid. Please compare it with the board, or ask for a new one.";
  await waitFor(async () => expect(await errorOf()).toBe(sentence));
  expect(document.activeElement).toBe(await field());
  await type("ABCDEFGJ");
  await submit();
  expect(await screen.findByText(/Ada Lovelace/)).toBeTruthy();
});

test("too many wrong class codes show the seconds to wait, and nothing is sent meanwhile", async () => {
  const body = JSON.stringify({ detail: "", error: "", code: "too-many-requests" });
  const refused = () => new Response(body, { status: 429, headers: { "retry-after": "42" } });
  const { sent } = await openScreen({ isOpen: false, answers: { [exchange]: refused } });
  await type("ABCDEFGH");
  await submit();
  await waitFor(async () => expect(await errorOf()).toBe("Too many requests. Please wait 42 seconds."));
  await type("ABCDEFGJ");
  await submit();
  expect(await errorOf()).toBe("Too many requests. Please wait 42 seconds.");
  expect(sent()).toHaveLength(1);
});
