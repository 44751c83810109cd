import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import type { BulkResult } from "#contract/administration/bulk-invitations.ts";
import { DAY } from "#contract/limits.ts";
import { answerProof } from "../../proof/proof.ts";
import { type FakeAnswer, type FakeCall, problem } from "../../testing/fakes/fake-api.ts";
import { openAdministration } from "../../testing/open-administration.tsx";
import { config, done, eachTestAlone, field, press, type } from "../../testing/open-settings.tsx";

eachTestAlone();

const create = "POST /admin/invitations/bulk";
const linesOf = ({ body }: FakeCall) => (body as { lines: { address: string; note: string }[] }).lines;
const linkOf = (address: string) => `https://parley.example/register#invitation=${address}`;

/** Answers with `invited` for each line, unless another outcome is given for its address. */
const inviteAll =
  (others: Record<string, BulkResult["outcome"]> = {}): FakeAnswer =>
  (call) => {
    const results = linesOf(call).map(({ address }) => {
      const outcome = others[address] ?? "invited";
      return { address, outcome, id: address, ...(outcome === "invited" && { link: linkOf(address) }) };
    });
    return Response.json({ results });
  };

async function openBulk(
  answers: Record<string, FakeAnswer | readonly FakeAnswer[]> = {},
  role?: "owner" | "administrator" | "manager",
) {
  const calls = await openAdministration(
    "invitations",
    { "GET /admin/invitations": { json: { invitations: [], hasTrustedNetworks: false } }, ...answers },
    role,
  );
  await press("Invite several");
  await screen.findByRole("heading", { name: "Invite several people" });
  return () => calls.filter(({ method }) => method !== "GET");
}

const enter = (text: string) => act(async () => type("Addresses", text));
const region = (name: string) => within(screen.getByRole("region", { name }));
const itemsOf = (name: string) =>
  region(name)
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);
const status = (text: string | RegExp) => waitFor(() => expect(screen.getByText(text)).toBeTruthy());
const confirm = (name: string) =>
  act(async () => fireEvent.click(within(screen.getByRole("alertdialog")).getByRole("button", { name })));
const heading = (name: string | RegExp) => screen.findByRole("heading", { name });
const many = (count: number) => Array.from({ length: count }, (_, index) => `p${index}@x.org`);

describe("the form of a list of invitations", () => {
  test("a pasted list is previewed with the lines that are left out", async () => {
    await openBulk();
    expect(document.activeElement?.textContent).toBe("Invite several people");
    await enter("Ada <ada@x.org>\nnobody\nADA@x.org\neve@x.org, 5b");
    await status("2 addresses recognised. 2 lines are left out.");
    expect(itemsOf("Recognised addresses")).toEqual(["Line 1ada@x.orgAda", "Line 4eve@x.org5b"]);
    expect(itemsOf("Lines that are left out")).toEqual([
      "Line 2nobodyThere is no address in this line",
      "Line 3ADA@x.orgThe address is in the list twice",
    ]);
    expect(screen.getByRole("button", { name: "Invite 2 people" })).toBeTruthy();
    await act(async () => fireEvent.click(screen.getByLabelText("Use the rest of each line as its note")));
    expect(itemsOf("Recognised addresses")).toEqual(["Line 1ada@x.org", "Line 4eve@x.org"]);
  });

  test.each(["chosen", "dropped"])("a CSV file that is %s is read as a table", async (way) => {
    await openBulk();
    const file = new File(["Name;E-Mail\nMüller, Ä;anne@x.org\n"], "class.csv", { type: "text/csv" });
    const area = field("Addresses");
    await act(async () => {
      if (way === "dropped") fireEvent.drop(area, { dataTransfer: { files: [file], types: ["Files"] } });
      else fireEvent.change(document.querySelector('input[type="file"]') ?? area, { target: { files: [file] } });
    });
    await status("1 address recognised.");
    expect(itemsOf("Recognised addresses")).toEqual(["Line 2anne@x.orgMüller, Ä"]);
  });

  test("a file that is too large is refused with a sentence", async () => {
    await openBulk();
    const file = new File([new Uint8Array(2_000_001)], "class.csv");
    await act(async () => fireEvent.drop(field("Addresses"), { dataTransfer: { files: [file], types: ["Files"] } }));
    expect(screen.getByText("The file is too large: at most 2 MB.")).toBeTruthy();
  });

  test("a list without addresses, and one with too many, are not sent", async () => {
    const calls = await openBulk();
    await press("Invite 0 people");
    expect(field("Addresses").getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByText("Enter addresses, or choose a file.")).toBeTruthy();
    await enter(many(5001).join("\n"));
    await press(/^Invite \d+ people$/);
    expect(screen.getByText("At most 5,000 addresses can be invited at once. Divide the list.")).toBeTruthy();
    expect(calls()).toEqual([]);
  });

  test("a list is sent with the notes of its lines and what is chosen for all", async () => {
    const calls = await openBulk({ [create]: inviteAll() });
    await enter("Ada <ada@x.org>\neve@x.org");
    type("Note (optional)", "Class 5b");
    fireEvent.change(screen.getByLabelText("Role"), { target: { value: "manager" } });
    await press(/^Invite \d people$/);
    await heading("2 of 2 invited");
    const lines = [
      { address: "ada@x.org", note: "Ada" },
      { address: "eve@x.org", note: "Class 5b" },
    ];
    expect(calls().map(({ body }) => body)).toEqual([{ lines, role: "manager", lifeMs: 7 * DAY, mail: true }]);
    expect(document.activeElement?.textContent).toBe("2 of 2 invited");
  });

  test("a manager invites a list of persons into the own group", async () => {
    const group = {
      ...{ id: "g", name: "Choir", members: 1, models: null, unknownModels: [], defaultModel: null, quotaMb: null },
      ...{
        budget: null,
        memberBudget: null,
        isOwnersOnly: false,
        timeZone: "UTC",
        needsSecondFactor: false,
        mayShare: true,
        createdAt: 1,
      },
    };
    const groups = { "GET /admin/groups": { json: { groups: [group], choices: [] } } };
    const calls = await openBulk({ ...groups, [create]: inviteAll() }, "manager");
    expect(screen.getByText(/Choir/)).toBeTruthy();
    expect(screen.queryByLabelText("Group")).toBeNull();
    await enter("ada@x.org");
    await press(/^Invite \d/);
    await heading("1 of 1 invited");
    expect(calls()[0]?.body).not.toHaveProperty("groupId");
  });

  test("without a mail server the links of a list are not mailed by default", async () => {
    const answers = { "GET /auth/config": { json: { ...config.json, isMailOnConsole: true } } };
    const calls = await openBulk({ ...answers, [create]: inviteAll() });
    await enter("ada@x.org");
    await press(/^Invite \d/);
    await heading("1 of 1 invited");
    expect(calls()[0]?.body).not.toHaveProperty("mail");
    expect(screen.getByText("Copy or save the links now: they are not shown again.")).toBeTruthy();
  });

  test("Cancel closes the form of a list, and its button takes the focus", async () => {
    await openBulk();
    await press("Cancel");
    expect(document.activeElement?.textContent).toBe("Invite several");
  });
});

describe("the sending of a list", () => {
  test("a long list is sent in several requests, with its progress", async () => {
    const held = Promise.withResolvers<void>();
    const second: FakeAnswer = async (call) => {
      await held.promise;
      const answer = inviteAll();
      return typeof answer === "function" ? answer(call) : Response.error();
    };
    const calls = await openBulk({ [create]: [inviteAll(), second, inviteAll()] });
    await enter(many(120).join("\n"));
    await press(/^Invite \d+ people$/);
    const bar = await screen.findByRole<HTMLProgressElement>("progressbar", { name: "Inviting people…" });
    await waitFor(() => expect([bar.value, bar.max]).toEqual([50, 120]));
    expect(screen.getByText("50 of 120")).toBeTruthy();
    expect(document.activeElement?.textContent).toBe("Inviting people…");
    await act(async () => held.resolve());
    await heading("120 of 120 invited");
    expect(calls().map((call) => linesOf(call).length)).toEqual([50, 50, 20]);
    expect(screen.queryByRole("progressbar")).toBeNull();
  });

  test("a list goes on after the pause that the server asks for", async () => {
    const refusal = problem(429, "too-many-requests");
    const pausing: FakeAnswer = () =>
      new Response("json" in refusal ? JSON.stringify(refusal.json) : "", {
        status: 429,
        headers: { "retry-after": "1" },
      });
    const calls = await openBulk({ [create]: [inviteAll(), pausing, inviteAll()] });
    await enter(many(60).join("\n"));
    await press(/^Invite \d+ people$/);
    const pause = await screen.findAllByText("The server asks for a pause. The rest follows in 1 second.");
    expect(pause.some((each) => each.getAttribute("role") === "status")).toBe(true);
    await heading("60 of 60 invited");
    expect(calls().map((call) => linesOf(call).length)).toEqual([50, 10, 10]);
  });

  test("a stopped list keeps its results, and the rest can be invited later", async () => {
    const held = Promise.withResolvers<void>();
    const first: FakeAnswer = async (call) => {
      await held.promise;
      const answer = inviteAll();
      return typeof answer === "function" ? answer(call) : Response.error();
    };
    const calls = await openBulk({ [create]: [first, inviteAll()] });
    await enter(many(60).join("\n"));
    await press(/^Invite \d+ people$/);
    await press("Stop");
    await act(async () => held.resolve());
    await heading("50 of 60 invited");
    expect(screen.getByText("Lines that were not sent can still be invited.")).toBeTruthy();
    await press("Invite the rest");
    await heading("60 of 60 invited");
    expect(calls().map((call) => linesOf(call).length)).toEqual([50, 10]);
  });

  test("a failure shows its reason, and the list goes on from there", async () => {
    await openBulk({ [create]: [inviteAll(), problem(503, "unavailable"), inviteAll()] });
    await enter(many(60).join("\n"));
    await press(/^Invite \d+ people$/);
    await heading("50 of 60 invited");
    expect(screen.getByRole("alert").textContent).toContain("The service is not available right now.");
    await press("Invite the rest");
    await heading("60 of 60 invited");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("a list needs a proof, and goes on when that is given", async () => {
    await openBulk({ [create]: [problem(403, "proof-needed"), inviteAll()] });
    await enter("ada@x.org");
    await press(/^Invite \d/);
    expect(screen.getByRole("dialog")).toBeTruthy();
    await act(async () => answerProof(true));
    await heading("1 of 1 invited");
  });
});

describe("the report of a list", () => {
  const report = async (answers: Parameters<typeof openBulk>[0], text = "ada@x.org\nnobody\neve@x.org\nmia@x.org") => {
    const calls = await openBulk(answers);
    await enter(text);
    await press(/^Invite \d/);
    await heading(/invited$/);
    return calls;
  };
  const mixed = inviteAll({ "eve@x.org": "already-invited", "mia@x.org": "too-many-mails" });

  test("each line of the report has its result, in the order of the list", async () => {
    await report({ [create]: mixed });
    expect(screen.getByRole("heading", { name: "1 of 4 invited" })).toBeTruthy();
    expect(itemsOf("Results of the lines")).toEqual([
      "Line 1ada@x.orgInvited",
      "Line 2nobodyThere is no address in this line",
      "Line 3eve@x.orgHas an open invitation already",
      "Line 4mia@x.orgNot invited: you can mail no more invitations today",
    ]);
  });

  test("the links of a report are copied with their addresses", async () => {
    const written = vi.fn(async (_: string) => undefined);
    vi.stubGlobal("navigator", { ...navigator, onLine: true, clipboard: { writeText: written } });
    await report({ [create]: inviteAll() }, "ada@x.org\neve@x.org");
    await press("Copy links");
    expect(written).toHaveBeenCalledWith(`ada@x.org\t${linkOf("ada@x.org")}\neve@x.org\t${linkOf("eve@x.org")}`);
    expect(await screen.findByRole("button", { name: "Copied" })).toBeTruthy();
  });

  test("P9 a report is saved as CSV, in which no cell begins a formula", async () => {
    const saved: Blob[] = [];
    vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}` }));
    await report({ [create]: inviteAll() }, "ada@x.org, =1+1\n-2+3");
    await press("Save as CSV");
    const bytes = new Uint8Array((await saved[0]?.arrayBuffer()) ?? []);
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(new TextDecoder().decode(bytes).split("\r\n")).toEqual([
      '"Line","Address","Note","Result","Link"',
      `1,"ada@x.org","'=1+1","Invited","${linkOf("ada@x.org")}"`,
      `2,"'-2+3","","There is no address in this line",`,
      "",
    ]);
  });

  test("all invitations of a list are revoked after a confirmation", async () => {
    const revoke = (id: string) => `DELETE /admin/invitations/${id}`;
    const gone = problem(404, "not-found");
    const answers = { [revoke("ada@x.org")]: done, [revoke("eve@x.org")]: gone };
    const calls = await report({ [create]: inviteAll(), ...answers }, "ada@x.org\neve@x.org");
    await press("Revoke all of these");
    expect(screen.getByRole("alertdialog", { name: "Revoke all of these invitations?" })).toBeTruthy();
    await confirm("Revoke all of these");
    await heading("0 of 2 invited");
    expect(
      calls()
        .slice(1)
        .map(({ method, path }) => `${method} ${path}`),
    ).toEqual(Object.keys(answers));
    expect(itemsOf("Results of the lines")).toEqual(["Line 1ada@x.orgRevoked", "Line 2eve@x.orgRevoked"]);
    expect(screen.queryByRole("button", { name: "Copy links" })).toBeNull();
  });

  test("open invitations are replaced after a confirmation", async () => {
    const calls = await report({ [create]: [mixed, inviteAll()] });
    await press("Replace open invitations");
    await confirm("Replace");
    await heading("2 of 4 invited");
    expect(calls()[1]?.body).toMatchObject({ replace: true, lines: [{ address: "eve@x.org" }] });
  });

  test("Done closes the report, and the list of invitations is read again", async () => {
    const read = "GET /admin/invitations";
    const listed = { id: "a", address: "ada@x.org", state: "active", createdAt: 1, createdBy: { id: "1" } };
    const invitation = {
      ...listed,
      expiresAt: Date.now() + DAY,
      uses: 0,
      usesMax: 1,
      role: "person",
      note: "",
      users: [],
    };
    const lists = [
      { json: { invitations: [], hasTrustedNetworks: false } },
      { json: { invitations: [invitation], hasTrustedNetworks: false } },
    ];
    await report({ [read]: lists, [create]: inviteAll() }, "ada@x.org");
    await press("Done");
    expect(document.activeElement?.textContent).toBe("Invite several");
    expect(document.getElementById("a")).toBeTruthy();
    expect(document.body.textContent).not.toContain("register#invitation");
  });
});
