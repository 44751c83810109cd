import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { DecisionRequest } from "#contract/conversation/tool-calls.ts";
import type { FormField, ToolForm } from "#contract/conversation/tool-forms.ts";
import {
  answerWith,
  showAnswer,
  stubResizeObserver,
  toolCall,
  waitingAnswer,
} from "../../testing/fakes/tool-answers.tsx";
import { richReplyModule } from "../reply-body.tsx";

let draft: string | null = null;
const formDraft = {
  read: () => draft,
  store: (text: string | null) => {
    draft = text;
  },
};
beforeEach(async () => {
  draft = null;
  await richReplyModule.load();
  await import("./tool-question.tsx");
  stubResizeObserver();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const from = { name: "Tea shop", host: "tea.example" };
const field = (name: string, more: Partial<FormField> = {}): FormField => ({
  name,
  kind: "text",
  isRequired: false,
  ...more,
});
const options = [
  { value: "g", label: "Green" },
  { value: "b", label: "Black" },
];
const form = (fields: FormField[], more: Partial<ToolForm> = {}): ToolForm => ({
  key: "order",
  message: "How shall it be sent?",
  fields,
  ...more,
});
const asking = (forms: ToolForm[], more: Parameters<typeof toolCall>[1] = {}) =>
  toolCall(2, { state: "asking", from, title: "Buy tea", question: { id: "q1", forms }, ...more });

async function ask(forms: ToolForm[], failure: string | null = null) {
  const sent: DecisionRequest[] = [];
  const shown = await showAnswer(
    waitingAnswer([asking(forms)]),
    async (request) => {
      sent.push(request);
      return failure;
    },
    { formDraft },
  );
  await screen.findByRole("button", { name: "Refuse" });
  return { ...shown, sent };
}
const enter = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole("button", { name })));

describe("a call that asks by a form", () => {
  test("a form sends the values of all kinds of fields with the id of its question", async () => {
    const { sent } = await ask([
      form([
        field("street", { title: "Street", isRequired: true }),
        field("grams", { kind: "integer", isRequired: true }),
        field("gift", { kind: "boolean" }),
        field("kind", { kind: "choice", options, isRequired: true }),
        field("extras", { kind: "choices", options }),
        field("day", { format: "date" }),
        field("remark"),
      ]),
    ]);
    const card = screen.getByRole("group", { name: "Tea shop asks you" });
    expect(card.textContent).toContain("Buy tea · tea.example");
    expect(card.textContent).toContain("How shall it be sent?");
    expect(card.textContent).toContain("Never enter passwords or other secrets here.");
    enter("Street", "Main Street 1");
    enter("grams", "100");
    fireEvent.click(screen.getByLabelText("gift"));
    enter("kind", "b");
    fireEvent.click(screen.getByLabelText("Green"));
    enter("day (optional)", "2025-12-24");
    await press("Send answers");
    const values = { street: "Main Street 1", grams: 100, gift: true, kind: "b", extras: ["g"], day: "2025-12-24" };
    expect(sent).toEqual([
      {
        reply: "r1",
        decisions: [
          { seq: 2, digest: "d2", answer: "submit", answers: { id: "q1", forms: [{ key: "order", values }] } },
        ],
      },
    ]);
  });

  test("a form sends nothing while a value is wrong, says why, and focuses the first wrong field", async () => {
    const { sent } = await ask([
      form([
        field("name", { maxLength: 3 }),
        field("grams", { kind: "integer", isRequired: true, maximum: 5 }),
        field("mail", { format: "email", description: "For the receipt" }),
      ]),
    ]);
    const grams = screen.getByLabelText("grams");
    enter("grams", "6");
    enter("mail (optional)", "nowhere");
    expect(grams.getAttribute("aria-invalid")).toBeNull();
    await press("Send answers");
    expect(sent).toEqual([]);
    expect(document.activeElement).toBe(grams);
    screen.getByText("The largest possible value is 5.");
    screen.getByText("Please enter an email address.");
    enter("grams", "5");
    expect(screen.queryByText("The largest possible value is 5.")).toBeNull();
    enter("mail (optional)", "");
    await press("Send answers");
    expect(sent).toHaveLength(1);
  });

  test("a form is refused without its values", async () => {
    const { sent } = await ask([form([field("name", { isRequired: true })])]);
    await press("Refuse");
    expect(sent[0]?.decisions).toEqual([{ seq: 2, digest: "d2", answer: "no" }]);
  });

  test("a form shows why its answers were not accepted, and retains them", async () => {
    await ask([form([field("name")])], "The reply has ended.");
    enter("name (optional)", "Ada");
    await press("Send answers");
    expect((await screen.findByRole("alert")).textContent).toBe("The reply has ended.");
    expect(screen.getByLabelText<HTMLInputElement>("name (optional)").value).toBe("Ada");
  });

  test("what was entered in a form outlives the page until it is sent, and does not fill in another question", async () => {
    const forms = [form([field("name")])];
    await ask(forms);
    enter("name (optional)", "Ada");
    cleanup();
    await ask(forms);
    expect(screen.getByLabelText<HTMLInputElement>("name (optional)").value).toBe("Ada");
    cleanup();
    await showAnswer(waitingAnswer([asking(forms, { question: { id: "q2", forms } })]), undefined, { formDraft });
    expect((await screen.findByLabelText<HTMLInputElement>("name (optional)")).value).toBe("");
    cleanup();
    await ask(forms);
    await press("Send answers");
    expect(draft).toBeNull();
  });

  test("a form is shown beside the line of calls while its call runs", async () => {
    const running = asking([form([field("name")])], { state: "sent" });
    const { update } = await showAnswer(answerWith([running], { state: "writing", content: "", loading: true }));
    await screen.findByRole("button", { name: "Send answers" });
    expect(screen.queryByText(/A new message/)).toBeNull();
    update(answerWith([{ ...running, question: undefined }], { state: "writing", content: "", loading: true }));
    expect(screen.queryByRole("group")).toBeNull();
    await screen.findByRole("button", { name: "Using tools: Buy tea (tea)" });
  });
});

describe("a call that asks to open a page", () => {
  test("a page to open has its host in words, shows the whole address, and is done without values", async () => {
    const url = "https://pay.example/a?token=1";
    const { sent } = await ask([form([], { url })]);
    const card = screen.getByRole("group");
    expect(card.textContent).toContain("The page is at pay.example.");
    expect(card.textContent).toContain(url);
    const link = within(card).getByRole("link", { name: "Open page" });
    expect([link.getAttribute("href"), link.getAttribute("target"), link.getAttribute("rel")]).toEqual([
      url,
      "_blank",
      "noopener noreferrer nofollow",
    ]);
    await press("Done");
    expect(sent[0]?.decisions[0]).toMatchObject({
      answer: "submit",
      answers: { id: "q1", forms: [{ key: "order", values: {} }] },
    });
  });

  test.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "https://bank.example@evil.example/",
    "/settings",
    "file:///etc",
  ])("a form does not open %s", async (url) => {
    const { container } = await ask([form([], { url })]);
    screen.getByText("This address cannot be opened from here.");
    expect(container.querySelector("a")).toBeNull();
  });
});
