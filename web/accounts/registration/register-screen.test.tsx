import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter, Route, Routes } from "react-router";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type FakeAnswer, fakeApi, problem } from "../../testing/fakes/fake-api.ts";
import "../../locales/i18n.ts";
import { RegisterScreen } from "./register-screen.tsx";

const register = "POST /auth/users/register";
const good = {
  "First Name": "Ada",
  "Last Name": "Byron",
  Username: "ada1",
  Email: "ada@example.com",
  Password: "long enough",
  "Confirm Password": "long enough",
};
type Label = keyof typeof good;

function openScreen(answers: Record<string, FakeAnswer | readonly FakeAnswer[]> = {}, path = "/register") {
  const settings = { productName: "Parley", passwordMin: 8, passwordPolicy: "plain" as const, registrationOpen: true };
  const calls = fakeApi({ "GET /auth/config": { json: settings }, ...answers });
  render(
    <MemoryRouter initialEntries={[path]}>
      <Routes>
        <Route path="/register" element={<RegisterScreen />} />
        <Route path="/login" element={<h1>Login page</h1>} />
      </Routes>
    </MemoryRouter>,
  );
  return { sent: () => calls.filter(({ method }) => method === "POST") };
}

const field = (label: Label) => screen.getByLabelText<HTMLInputElement>(label);
const button = () => screen.getByRole<HTMLButtonElement>("button", { name: /^Creat/ });

function type(label: Label, value: string) {
  fireEvent.change(field(label), { target: { value } });
}

function fillIn(values: Partial<Record<Label, string>> = {}) {
  for (const [label, value] of Object.entries({ ...good, ...values })) {
    if (label in good) type(label as Label, value);
  }
}

/** Returns the error that assistive technology announces with the field. */
function errorOf(label: Label): string | null {
  const note = field(label).getAttribute("aria-describedby");
  const isInvalid = field(label).getAttribute("aria-invalid") === "true";
  return note && isInvalid ? (document.getElementById(note)?.textContent ?? null) : null;
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("the form", () => {
  test("the registration form is empty at first, without errors, with its button disabled", async () => {
    openScreen();
    expect(screen.getByRole("heading", { level: 1, name: "Create Account" })).toBeTruthy();
    for (const label of Object.keys(good) as Label[]) {
      expect(field(label).value).toBe("");
      expect(errorOf(label)).toBeNull();
    }
    await waitFor(() => expect(button().disabled).toBe(true));
  });

  test("the registration takes the email address from the query", () => {
    openScreen({}, "/register?email=ada%2Bx@example.com");
    expect(field("Email").value).toBe("ada+x@example.com");
  });

  test("the registration describes its fields to password managers", () => {
    openScreen();
    const autocompletes = (Object.keys(good) as Label[]).map((label) => field(label).autocomplete);
    expect(autocompletes).toEqual(["given-name", "family-name", "username", "email", "new-password", "new-password"]);
  });

  test("the registration enables its button once all fields are valid", async () => {
    openScreen();
    fillIn();
    await waitFor(() => expect(button().disabled).toBe(false));
    type("Username", "no spaces");
    await waitFor(() => expect(button().disabled).toBe(true));
  });
});

describe("errors of fields", () => {
  test.each<[Label, string, string]>([
    ["First Name", "", "Firstname is required"],
    ["First Name", "A1", "Firstname must contain only letters (no numbers or special characters)"],
    ["First Name", "A", "Firstname must be at least 2 characters"],
    ["Last Name", "B".repeat(31), "Lastname must be no more than 30 characters"],
    ["Username", "a_b", "Username must contain only letters and numbers (no spaces or special characters)"],
    ["Username", "ab", "Username must be at least 3 characters"],
    ["Username", "a".repeat(31), "Username must be no more than 30 characters"],
    ["Email", "ada@", "Please enter a valid email address"],
    ["Password", "short", "Password must be at least 8 characters"],
    ["Confirm Password", "another one", "Passwords do not match"],
  ])("the field %s with %j shows: %s", async (label, value, sentence) => {
    openScreen();
    fillIn({ [label]: value });
    expect(errorOf(label)).toBeNull();
    fireEvent.blur(field(label));
    await waitFor(() => expect(errorOf(label)).toBe(sentence));
  });

  test("errors are not shown for an untouched field", async () => {
    openScreen();
    fireEvent.blur(field("Username"));
    await waitFor(() => expect(errorOf("Username")).toBe("Username is required"));
    expect(errorOf("First Name")).toBeNull();
    expect(errorOf("Confirm Password")).toBeNull();
  });

  test("errors are delayed until a pressed button is released, to avoid a layout shift under the pointer", async () => {
    openScreen();
    fireEvent.pointerDown(screen.getByRole("link", { name: "Sign in here" }));
    fireEvent.blur(field("Username"));
    await new Promise((resolve) => setTimeout(resolve));
    expect(errorOf("Username")).toBeNull();
    fireEvent.pointerUp(screen.getByRole("link", { name: "Sign in here" }));
    await waitFor(() => expect(errorOf("Username")).toBe("Username is required"));
  });

  test("a repeated password is validated again when the password changes", async () => {
    openScreen();
    fillIn();
    fireEvent.blur(field("Confirm Password"));
    type("Password", "changed later");
    await waitFor(() => expect(errorOf("Confirm Password")).toBe("Passwords do not match"));
    type("Password", good.Password);
    await waitFor(() => expect(errorOf("Confirm Password")).toBeNull());
  });
});

describe("submitting", () => {
  test("an incomplete form marks every field and sends nothing", async () => {
    const { sent } = openScreen();
    fireEvent.keyDown(field("First Name"), { key: "Enter" });
    await waitFor(() => expect(errorOf("Confirm Password")).toBe("ConfirmPassword is required"));
    expect(errorOf("Email")).toBe("Email is required");
    expect(sent()).toEqual([]);
  });

  test("the registration sends the fields without the repeated password, and then shows the next step", async () => {
    const { sent } = openScreen({ [register]: { status: 201, json: {} } });
    fillIn();
    await waitFor(() => expect(button().disabled).toBe(false));
    fireEvent.click(button());
    expect(await screen.findByText("Registration Successful!")).toBeTruthy();
    expect(
      screen.getByText("Please check your email and click the verification link to activate your account."),
    ).toBeTruthy();
    expect(sent().map(({ body }) => body)).toEqual([
      { firstname: "Ada", lastname: "Byron", username: "ada1", email: "ada@example.com", password: "long enough" },
    ]);
    fireEvent.click(screen.getByRole("button", { name: "Go to Login" }));
    expect(screen.getByText("Login page")).toBeTruthy();
  });

  test("the registration shows that it is busy while it waits for the server", async () => {
    let answer: (response: Response) => void = () => {};
    const { sent } = openScreen({ [register]: () => new Promise((resolve) => (answer = resolve)) });
    fillIn();
    await waitFor(() => expect(button().disabled).toBe(false));
    fireEvent.click(button());
    await waitFor(() => expect(button().textContent).toBe("Creating Account..."));
    expect(button().disabled).toBe(true);
    fireEvent.keyDown(field("Email"), { key: "Enter" });
    expect(sent()).toHaveLength(1);
    answer(new Response(JSON.stringify({ detail: "No" }), { status: 400 }));
    expect((await screen.findByRole("alert")).textContent).toBe("No");
    expect(button().textContent).toBe("Create Account");
  });

  test("the registration shows the server's refusal, and its field errors at their fields", async () => {
    const issues = [{ field: "email", rule: "email", message: "x" }];
    openScreen({ [register]: problem(400, "invalid-input", { issues }) });
    fillIn();
    await waitFor(() => expect(button().disabled).toBe(false));
    fireEvent.click(button());
    expect((await screen.findByRole("alert")).textContent).toBe("Please check what you entered.");
    await waitFor(() => expect(errorOf("Email")).toBe("Please enter a valid email address"));
  });

  const typed = () => (Object.keys(good) as Label[]).map((label) => field(label).value);

  test("a taken username is reported, the typed values stay, and another name registers", async () => {
    const { sent } = openScreen({ [register]: [problem(409, "username-taken"), { status: 201, json: {} }] });
    fillIn();
    await waitFor(() => expect(button().disabled).toBe(false));
    fireEvent.click(button());
    expect(await screen.findByText("This username is already taken.")).toBeTruthy();
    expect(typed()).toEqual(Object.values(good));
    type("Username", "countess");
    await waitFor(() => expect(button().disabled).toBe(false));
    fireEvent.click(button());
    expect(await screen.findByText("Registration Successful!")).toBeTruthy();
    expect(sent().map(({ body }) => body)).toMatchObject([{ username: "ada1" }, { username: "countess" }]);
  });

  test("an unreachable server is reported, and loses no input of the registration", async () => {
    const unreachable: FakeAnswer = () => Promise.reject(new TypeError("Failed to fetch"));
    openScreen({ [register]: [unreachable, { status: 201, json: {} }] });
    fillIn();
    await waitFor(() => expect(button().disabled).toBe(false));
    fireEvent.click(button());
    const { textContent } = await screen.findByRole("alert");
    expect(textContent).toContain("Registration failed");
    expect(textContent).toContain("The server could not be reached. Please check your connection and try again.");
    expect(typed()).toEqual(Object.values(good));
    await waitFor(() => expect(button().disabled).toBe(false));
    fireEvent.click(button());
    expect(await screen.findByText("Registration Successful!")).toBeTruthy();
  });
});

test("a closed registration shows a message and no form but that of class codes", async () => {
  const settings = { productName: "Parley", passwordMin: 8, passwordPolicy: "plain" as const, registrationOpen: false };
  const { loadAuthConfig } = await import("../auth-config.ts");
  openScreen({ "GET /auth/config": { json: settings } });
  await loadAuthConfig();
  expect(await screen.findByText(/New accounts are not open here/)).toBeTruthy();
  expect((await screen.findAllByRole("textbox")).map((each) => each.getAttribute("inputmode"))).toEqual(["text"]);
});

test("the registration links to sign-in for people who have an account", () => {
  openScreen();
  fireEvent.click(screen.getByRole("link", { name: "Sign in here" }));
  expect(screen.getByText("Login page")).toBeTruthy();
});
