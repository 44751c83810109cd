import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import type { Invitation } from "#contract/administration/invitations.ts";
import { HOUR, MINUTE } from "#contract/limits.ts";
import { openAdministration } from "../../testing/open-administration.tsx";
import { eachTestAlone, press, type } from "../../testing/open-settings.tsx";

eachTestAlone();

const read = "GET /admin/invitations";
const create = "POST /admin/invitations";
const link = "https://parley.example/register#invitation=k-9";

const classInvitation = (more: Partial<Invitation> = {}): Invitation => ({
  id: "c",
  state: "active",
  createdAt: Date.now(),
  createdBy: { id: "1", username: "ada" },
  expiresAt: Date.now() + HOUR - MINUTE,
  uses: 3,
  usesMax: 40,
  role: "person",
  note: "",
  classCode: { isDead: false, trustedOnly: false },
  users: [],
  ...more,
});
const list = (hasTrustedNetworks: boolean, ...invitations: Invitation[]) => ({
  json: { invitations, hasTrustedNetworks },
});
const check = (label: RegExp) => act(async () => fireEvent.click(screen.getByLabelText(label)));
const choose = (label: string, value: string) =>
  act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }));

async function openForm(hasTrustedNetworks = false, invitation = classInvitation()) {
  const calls = await openAdministration("invitations", {
    [read]: list(hasTrustedNetworks),
    [create]: { status: 201, json: { invitation, link, code: "ABCD-EFGH" } },
  });
  await press("Invite people");
  await check(/^A class/);
  return { created: () => calls.filter(({ method }) => method === "POST").map(({ body }) => body) };
}

describe("the form of a class code", () => {
  test("a class code is created with uses and hours only: it has no address, mail or role", async () => {
    const { created } = await openForm();
    for (const label of ["Email address", "Mail the link to this address", "Role", /trusted networks/]) {
      expect(screen.queryByLabelText(label)).toBeNull();
    }
    expect(screen.getByLabelText<HTMLInputElement>("Number of people").value).toBe("40");
    type("Number of people", "28");
    await choose("Valid for", String(2 * HOUR));
    await press("Create invitation");
    expect(created()).toEqual([{ classCode: true, uses: 28, lifeMs: 2 * HOUR, note: "" }]);
  });

  test("a class code is valid for one hour by default, and eight at most", async () => {
    await openForm();
    const select = screen.getByLabelText<HTMLSelectElement>("Valid for");
    expect([select.value, [...select.options].map(({ text }) => text)]).toEqual([
      String(HOUR),
      ["1 hour", "2 hours", "4 hours", "8 hours"],
    ]);
    await check(/^Several people/);
    expect(screen.getByLabelText<HTMLSelectElement>("Valid for").selectedOptions[0]?.text).toBe("7 days");
    expect(screen.getByLabelText<HTMLInputElement>("Number of people").value).toBe("10");
  });

  test("a class code can be limited to trusted networks where there are some", async () => {
    const { created } = await openForm(true);
    await check(/Only in trusted networks/);
    await press("Create invitation");
    expect(created()).toMatchObject([{ classCode: true, trustedOnly: true }]);
  });
});

describe("a new class code", () => {
  test("a new class code is shown with its address and its end, and can be copied", async () => {
    const written = vi.fn(async (_: string) => undefined);
    vi.stubGlobal("navigator", { ...navigator, onLine: true, clipboard: { writeText: written } });
    await openForm();
    await press("Create invitation");
    expect(document.activeElement?.textContent).toBe("The class code is ready");
    expect(screen.getByText("ABCD-EFGH")).toBeTruthy();
    expect(screen.getByText(/People enter the code at parley.example\/register\./)).toBeTruthy();
    expect(screen.getByText("expires in 59 minutes")).toBeTruthy();
    await press("Copy code");
    expect(written).toHaveBeenCalledWith("ABCD-EFGH");
    await press("Done");
    expect(screen.queryByText("ABCD-EFGH")).toBeNull();
  });

  test("the sheet has the product, the QR code of the link, the address, the code, its end and the steps", async () => {
    const print = vi.fn();
    vi.stubGlobal("print", print);
    await openForm(true, classInvitation({ classCode: { isDead: false, trustedOnly: true } }));
    await press("Create invitation");
    await press("Print sheet");
    const dialog = await screen.findByRole("dialog", { name: "Sheet for the class" });
    const paper = within(dialog).getByRole("region", { name: "Preview of the sheet" });
    for (const text of ["Salon", "parley.example/register", "ABCD-EFGH", "Valid until", "Only in the network"]) {
      expect(paper.textContent).toContain(text);
    }
    expect(within(paper).getAllByRole("listitem")).toHaveLength(4);
    const code = within(paper).getByRole("img", { name: "QR code with the link for registration" });
    expect(code.querySelector("path")?.getAttribute("d")).toMatch(/^M4 4h7v1h-7z/);
    expect(print).not.toHaveBeenCalled();
    await act(async () => fireEvent.click(within(dialog).getByRole("button", { name: "Print" })));
    expect(print).toHaveBeenCalledOnce();
  });

  test("the sheet is printed in the language of the class, in its direction", async () => {
    await openForm();
    await press("Create invitation");
    await press("Print sheet");
    const dialog = await screen.findByRole("dialog", { name: "Sheet for the class" });
    await choose("Language of the sheet", "ar");
    const paper = () => dialog.querySelector("[lang=ar]:not(option)");
    await waitFor(() => expect(paper()?.textContent).toContain("رمز الصف"));
    expect(paper()?.getAttribute("dir")).toBe("rtl");
    // The page around it stays in its own language.
    expect(within(dialog).getByRole("button", { name: "Print" })).toBeTruthy();
    expect(document.documentElement.lang).not.toBe("ar");
  });
});

test("the list shows class codes, their networks, and the death of one by wrong tries", async () => {
  const dead = classInvitation({ id: "d", classCode: { isDead: true, trustedOnly: true } });
  await openAdministration("invitations", { [read]: list(true, classInvitation(), dead) });
  const texts = ["c", "d"].map((id) => document.getElementById(id)?.textContent);
  expect(texts[0]).toMatch(/^Class codeOpen.*Person · 3 of 40 used · expires in 59 minutes/);
  expect(texts[0]).not.toContain("wrong codes");
  expect(texts[1]).toContain("only in trusted networks");
  expect(texts[1]).toContain("Too many wrong codes were entered, so the code is dead. Its link still works.");
});
