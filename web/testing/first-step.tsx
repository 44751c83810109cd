/** For tests: a sign-in by password that needs a further step. */

import { act, fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter, Route, Routes, useLocation } from "react-router";
import { loadAuthConfig } from "../accounts/auth-config.ts";
import { LoginScreen } from "../accounts/sign-in/login-screen.tsx";
import { type FakeAnswer, fakeApi, problem } from "./fakes/fake-api.ts";

/** The ticket of the further step. */
export const ticket = "the ticket";
export const signInConfig = {
  productName: "Salon",
  passwordMin: 8,
  passwordPolicy: "plain" as const,
  registrationOpen: true,
};

type FirstStep = {
  /** The answer to the right password. */
  demand: "second-factor-needed" | "second-factor-missing";
  answers: Record<string, FakeAnswer | readonly FakeAnswer[]>;
  /** History state of the sign-in page. */
  state: unknown;
  /** Title of the further step. */
  title: string;
};

function ShownLocation() {
  const { pathname, search } = useLocation();
  return <p data-testid="location">{pathname + search}</p>;
}

/** Types the right password, and waits for the further step. Returns the live list of its requests with a body. */
export async function takeFirstStep({ demand, answers, state, title }: FirstStep) {
  const calls = fakeApi({
    "GET /auth/config": { json: signInConfig },
    "POST /auth/login": problem(403, demand, { ticket }),
    ...answers,
  });
  await loadAuthConfig();
  render(
    <MemoryRouter initialEntries={[{ pathname: "/login", state }]}>
      <Routes>
        <Route path="/login" element={<LoginScreen />} />
        <Route path="*" element={<ShownLocation />} />
      </Routes>
    </MemoryRouter>,
  );
  fireEvent.change(screen.getByLabelText("Username"), { target: { value: "ada" } });
  fireEvent.change(screen.getByLabelText("Password"), { target: { value: "secret words" } });
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Sign In" })));
  await screen.findByRole("heading", { level: 1, name: title });
  return () =>
    calls
      .filter(({ method, path }) => method === "POST" && path !== "/auth/login")
      .map(({ path, body }) => [path, body]);
}
