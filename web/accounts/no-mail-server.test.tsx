import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter, Route, Routes } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { fakeApi } from "../testing/fakes/fake-api.ts";
import "../locales/i18n.ts";
import { loadAuthConfig } from "./auth-config.ts";
import { ForgotPasswordScreen } from "./recovery/forgot-password-screen.tsx";
import { RegisterScreen } from "./registration/register-screen.tsx";
import { VerifyEmailScreen } from "./registration/verify-email-screen.tsx";

const settings = { productName: "Salon", passwordMin: 8, passwordPolicy: "plain", registrationOpen: true };
const sentence = "This server has no mail server: its administrator finds the link on the server’s console.";
const message = "A mail is on its way.";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function openScreen(path: string, config: Record<string, unknown>) {
  fakeApi({
    "GET /auth/config": { json: { ...settings, ...config } },
    "POST /auth/users/register": { status: 201, json: { message } },
    "POST /auth/forgot-password": { json: { message } },
  });
  await loadAuthConfig();
  render(
    <MemoryRouter initialEntries={[path]}>
      <Routes>
        <Route path="/register" element={<RegisterScreen />} />
        <Route path="/verify-email" element={<VerifyEmailScreen />} />
        <Route path="/forgot-password" element={<ForgotPasswordScreen />} />
      </Routes>
    </MemoryRouter>,
  );
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const title = (name: string) => screen.findByRole("heading", { level: 1, name });

async function register() {
  type("First Name", "Ada");
  type("Last Name", "Byron");
  type("Username", "ada1");
  type("Email", "ada@example.org");
  type("Password", "long enough");
  type("Confirm Password", "long enough");
  fireEvent.click(screen.getByRole("button", { name: "Create Account" }));
  await title("Registration Successful!");
}

async function askForLink() {
  fireEvent.input(screen.getByLabelText("Email or username"), { target: { value: "ada" } });
  fireEvent.click(screen.getByRole("button", { name: "Send Link" }));
  await title("Check Your Mail");
}

const screens = [
  { name: "a registration", path: "/register", act: register },
  { name: "the request for a key", path: "/verify-email?email=ada@example.org", act: () => title("Verify Your Email") },
  { name: "a request for a new password", path: "/forgot-password", act: askForLink },
];

test.each(screens)("$name shows where the link is if there is no mail server", async ({ path, act }) => {
  await openScreen(path, { isMailOnConsole: true });
  await act();
  expect(screen.getByText(sentence)).toBeTruthy();
});

test.each(screens)("$name shows no hint about mail servers if there is one", async ({ path, act }) => {
  await openScreen(path, {});
  await act();
  expect(screen.queryByText(sentence)).toBeNull();
});

test("a registration without a mail server leads on to the key of the registered address", async () => {
  await openScreen("/register", { isMailOnConsole: true });
  await register();
  expect(screen.getByRole("button", { name: "Go to Login" })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Enter the Key" }));
  await title("Verify Your Email");
  expect(screen.getByText("ada@example.org")).toBeTruthy();
});

test("a registration with a mail server leads to the sign-in only", async () => {
  await openScreen("/register", {});
  await register();
  expect(screen.queryByRole("button", { name: "Enter the Key" })).toBeNull();
});
