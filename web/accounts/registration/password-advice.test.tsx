import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fakeApi, problem } from "../../testing/fakes/fake-api.ts";
import "../../locales/i18n.ts";
import { loadAuthConfig } from "../auth-config.ts";
import { RegisterScreen } from "./register-screen.tsx";

const register = "POST /auth/users/register";

async function openForm(passwordPolicy: "plain" | "strict") {
  const config = { productName: "Salon", passwordMin: 8, passwordPolicy, registrationOpen: true };
  const calls = fakeApi({
    "GET /auth/config": { json: config },
    [register]: problem(400, "invalid-input", {
      issues: [{ field: "password", rule: "common", message: "No." }],
    }),
  });
  await loadAuthConfig();
  render(
    <MemoryRouter initialEntries={["/register"]}>
      <RegisterScreen />
    </MemoryRouter>,
  );
  const fill = async (password: string) => {
    const words = { "First Name": "Ada", "Last Name": "Byron", Username: "countess", Email: "ada@example.com" };
    for (const [label, value] of Object.entries({ ...words, Password: password, "Confirm Password": password }))
      await type(label, value);
  };
  return { fill, sent: () => calls.filter(({ method }) => method === "POST").length };
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = async (label: string, value: string) => fireEvent.input(field(label), { target: { value } });
const button = () => screen.getByRole<HTMLButtonElement>("button", { name: "Create Account" });
const advice = () => screen.findByText(/lists of common|guessed from your name/);
const described = () => document.getElementById(field("Password").getAttribute("aria-describedby") ?? "")?.textContent;

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("A4 a password that is easily guessed", () => {
  test.each(["password1", "PASSWORD", "iloveyou2", "countess1815", "byron-ada-1815", "ada@example.com", "salon2026"])(
    "a guessable password causes a warning and is accepted under the plain policy: %s",
    async (password) => {
      const { fill, sent } = await openForm("plain");
      // A live region announces a text only if it is mounted before it.
      const status = screen.getByRole("status");
      expect(status.textContent).toBe("");
      await fill(password);
      expect(status.contains(await advice())).toBe(true);
      expect(described()).toMatch(/would be safer/);
      expect(field("Password").getAttribute("aria-invalid")).toBeNull();
      await waitFor(() => expect(button().disabled).toBe(false));
      fireEvent.click(button());
      await waitFor(() => expect(sent()).toBe(1));
    },
  );

  test("a guessable password is refused before submission under the strict policy, after the first blur", async () => {
    const { fill, sent } = await openForm("strict");
    await fill("password1");
    fireEvent.blur(field("Password"));
    await advice();
    expect(described()).toBe("This password is on lists of common ones. Please choose another");
    expect(field("Password").getAttribute("aria-invalid")).toBe("true");
    expect(button().disabled).toBe(true);
    fireEvent.keyDown(field("Password"), { key: "Enter" });
    await type("Password", "eight of 11 lamps");
    await type("Confirm Password", "eight of 11 lamps");
    await waitFor(() => expect(button().disabled).toBe(false));
    expect(sent()).toBe(0);
    fireEvent.click(button());
    // The server's list may be longer: its refusal is shown at the field.
    await waitFor(() => expect(described()).toBe("This password is on lists of common ones. Please choose another"));
  });

  test("A3 any other password gets no advice, whatever its composition", async () => {
    const { fill } = await openForm("strict");
    await fill("password1");
    await type("Password", "qmvkjxzbwfhgtrplcnds");
    await type("Confirm Password", "qmvkjxzbwfhgtrplcnds");
    await waitFor(() => expect(button().disabled).toBe(false));
    await waitFor(() => expect(screen.queryByText(/common ones/)).toBeNull());
  });
});
