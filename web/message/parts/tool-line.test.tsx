import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { DecisionRequest } from "#contract/conversation/tool-calls.ts";
import {
  answerWith as answer,
  toolCall as call,
  showAnswer as show,
  stubResizeObserver,
  waitingAnswer as waiting,
} from "../../testing/fakes/tool-answers.tsx";
import { richReplyModule } from "../reply-body.tsx";

const button = (name: string) => screen.findByRole("button", { name });

beforeEach(async () => {
  await richReplyModule.load();
  stubResizeObserver();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("calls that are decided", () => {
  test("calls at one position are one line with their number and their time", async () => {
    const calls = [
      call(0, { durationMs: 5000 }),
      call(1, { step: 1, durationMs: 6500 }),
      // At the same time as the one before.
      call(2, { step: 1, durationMs: 6000 }),
      call(3, { step: 2, durationMs: 500 }),
    ];
    await show(answer(calls));
    const line = await button("Worked in 4 steps, 12s");
    expect(line.getAttribute("aria-expanded")).toBe("false");
    expect(screen.queryByRole("list")).toBeNull();
    fireEvent.click(line);
    expect(within(screen.getByRole("list", { name: "Calls of tools" })).getAllByRole("listitem")).toHaveLength(4);
  });

  test("calls at different positions are lines of their own", async () => {
    await show(answer([call(0, { durationMs: 1000 }), call(1, { at: 5, durationMs: 2000 })]));
    await button("Worked in 1 step, 1s");
    await button("Worked in 1 step, 2s");
  });

  test("while a call runs, the line names its tool and its first argument in words", async () => {
    const search = { server: "web", name: "search_web", arguments: '{"query":"widest fjord"}' };
    const { update } = await show(
      answer([call(0), call(1, { ...search, state: "sent" })], { state: "writing", content: "", loading: true }),
    );
    await button("Using tools: Search the web (widest fjord)");
    expect(screen.queryByText("Thinking...")).toBeNull();
    update(answer([call(0, { durationMs: 1000 }), call(1, { ...search, durationMs: 1000 })]));
    await button("Worked in 2 steps, 1s");
  });

  test("the line says how many calls failed, and a call that nobody runs any more does not read as running", async () => {
    const calls = [call(0, { state: "failed" }), call(1, { state: "failed" }), call(2, { state: "sent" })];
    await show(answer(calls, { state: "interrupted" }));
    fireEvent.click(await button("Worked in 3 steps · 2 failed"));
    expect(screen.getAllByRole("listitem")[2]?.firstElementChild?.textContent).toBe("buyUnknown whether it ran");
  });

  test("the list shows the state, the arguments as fields and the result as plain text", async () => {
    const given = JSON.stringify({ item: "tea", size: { grams: 100 } });
    const result = "![x](https://example.org/p.png) <img src=x> https://example.org";
    const { container } = await show(
      answer([
        call(0, { arguments: given, result, durationMs: 2000 }),
        call(1, { state: "failed", result: "Closed." }),
        call(2, { state: "declined" }),
        call(3, { state: "unknown", result: "Skipped." }),
      ]),
    );
    fireEvent.click(await button("Worked in 4 steps, 2s · 1 failed"));
    const items = screen.getAllByRole("listitem");
    expect(items.map((item) => item.firstElementChild?.textContent)).toEqual([
      "buyDone2s",
      "buyFailed",
      "buyNot run",
      "buyUnknown whether it ran",
    ]);
    const fields = screen.getAllByRole("region", { name: "Arguments of buy" })[0];
    expect(fields?.textContent).toBe('item: teasize: {\n  "grams": 100\n}');
    expect(screen.getAllByRole("region", { name: "Result of buy" })[0]?.textContent).toBe(result);
    expect(container.querySelector("img, a")).toBeNull();
  });

  test("arguments and a result of JSON are read as fields, and their JSON is one click away", async () => {
    const result = '{"stock": 7,"weight":1.50}';
    await show(answer([call(0, { result }), call(1, { arguments: "{}", result: "Sold out." })]));
    fireEvent.click(await button("Worked in 2 steps"));
    const box = screen.getAllByRole("region", { name: "Result of buy" })[0];
    expect(box?.textContent).toBe("stock: 7weight: 1.5");
    expect(screen.getAllByRole("button", { name: /^Raw JSON/ })).toHaveLength(2);
    const raw = await button("Raw JSON: Result of buy");
    fireEvent.click(raw);
    expect(raw.getAttribute("aria-pressed")).toBe("true");
    expect(box?.textContent).toBe(result);
    fireEvent.click(raw);
    expect(box?.textContent).toBe("stock: 7weight: 1.5");
    fireEvent.click(await button("Raw JSON: Arguments of buy"));
    expect(screen.getByRole("region", { name: "Arguments of buy" }).textContent).toBe('{"item":"tea"}');
  });

  test("a result that is a list of flat objects is read as a table", async () => {
    const result = '[{"item":"tea","price":3},{"item":"<b>rum</b>","sold":true}]';
    await show(answer([call(0, { result })]));
    fireEvent.click(await button("Worked in 1 step"));
    const cells = screen.getAllByRole("row").map((row) => [...row.children].map(({ textContent }) => textContent));
    expect(cells).toEqual([
      ["item", "price", "sold"],
      ["tea", "3", ""],
      ["<b>rum</b>", "", "true"],
    ]);
  });

  test.each(["[1, 2]", '[{"item":{}}]', "[]", "[oops", '{"a":1', "7", "{}"])(
    "the result %s is shown as it is",
    async (result) => {
      await show(answer([call(0, { arguments: "{}", result })]));
      fireEvent.click(await button("Worked in 1 step"));
      expect(screen.getByRole("region", { name: "Result of buy" }).textContent).toBe(result);
      expect(screen.queryByRole("button", { name: /^Raw JSON/ })).toBeNull();
    },
  );

  test("a long result is cut until it is asked for", async () => {
    await show(answer([call(0, { result: "x".repeat(25_000) })]));
    fireEvent.click(await button("Worked in 1 step"));
    const region = screen.getByRole("region", { name: "Result of buy" });
    expect(region.textContent).toHaveLength(20_001);
    fireEvent.click(await button("Show all"));
    expect(region.textContent).toHaveLength(25_000);
  });

  test("arguments that are no object are shown as they are", async () => {
    await show(answer([call(0, { arguments: '{"item":' })]));
    fireEvent.click(await button("Worked in 1 step"));
    expect(screen.getByRole("region", { name: "Arguments of buy" }).textContent).toBe('{"item":');
  });
});

describe("calls that ask", () => {
  test.each([
    ["Allow once", "once"],
    ["Do not allow", "no"],
    ["Allow in this chat", "chat"],
    ["Always allow", "always"],
  ])("the button “%s” of a proposed call answers “%s”", async (name, expected) => {
    const sent: DecisionRequest[] = [];
    await show(waiting([call(3, { state: "proposed" })]), async (request) => {
      sent.push(request);
      return null;
    });
    const card = screen.getByRole("group", { name: "The assistant wants to use buy" });
    expect(card.textContent).toContain("item: tea");
    screen.getByText("A new message in this chat declines it.");
    fireEvent.click(await button(name));
    await vi.waitFor(() =>
      expect(sent).toEqual([{ reply: "r1", decisions: [{ seq: 3, digest: "d3", answer: expected }] }]),
    );
  });

  test.each([
    ["Do it again", "once"],
    ["Go on without", "skip"],
  ])("the button “%s” of a call that may have run answers “%s” for that attempt", async (name, expected) => {
    const sent: DecisionRequest[] = [];
    await show(waiting([call(0, { state: "unknown", attempt: 2 })]), async (request) => {
      sent.push(request);
      return null;
    });
    expect(screen.getByRole("group").textContent).toContain("It may have happened already.");
    expect(screen.queryByRole("button", { name: "Always allow" })).toBeNull();
    fireEvent.click(await button(name));
    await vi.waitFor(() => expect(sent[0]?.decisions).toMatchObject([{ attempt: 2, answer: expected }]));
  });

  test("a decision is sent once, and its failure is shown in the card", async () => {
    const failure = Promise.withResolvers<string | null>();
    const decide = vi.fn(() => failure.promise);
    await show(waiting([call(0, { state: "proposed" })]), decide);
    const allow = await button("Allow once");
    fireEvent.click(allow);
    fireEvent.click(allow);
    expect(allow.getAttribute("aria-disabled")).toBe("true");
    expect(decide).toHaveBeenCalledOnce();
    await act(async () => failure.resolve("The server is not reachable."));
    expect(within(screen.getByRole("group")).getByRole("alert").textContent).toBe("The server is not reachable.");
    expect(allow.getAttribute("aria-disabled")).toBe("false");
  });

  test("a question is announced, and the focus moves to the line after its answer", async () => {
    const { update } = await show(waiting([call(0, { state: "proposed" })]));
    expect(screen.getByRole("status").textContent).toBe("The assistant wants to use buy");
    const allow = await button("Allow once");
    allow.focus();
    await act(async () => fireEvent.click(allow));
    update(answer([call(0, { state: "approved" })], { state: "writing", content: "", loading: true }));
    expect(screen.queryByRole("group")).toBeNull();
    expect(document.activeElement).toBe(await button("Using tools: buy (tea)"));
    expect(screen.getByRole("status").textContent).toBe("");
  });

  test("the focus moves to the next card after the answer to one, and to the line after the last", async () => {
    const ask = (seq: number) => call(seq, { name: `buy${seq}`, state: "proposed" });
    const done = (seq: number) => call(seq, { name: `buy${seq}`, state: "approved" });
    const card = (seq: number) => screen.getByRole("group", { name: `The assistant wants to use buy${seq}` });
    const { update } = await show(waiting([ask(0), ask(1)]));
    within(card(0)).getByRole("button", { name: "Allow once" }).focus();
    update(waiting([done(0), ask(1)]));
    expect(document.activeElement).toBe(card(1));
    within(card(1)).getByRole("button", { name: "Do not allow" }).focus();
    // The reply went on, and asks for another call already.
    update(waiting([done(0), done(1), call(2, { name: "buy2", state: "proposed", step: 1 })]));
    expect(document.activeElement).toBe(card(2));
    update(answer([done(0), done(1), done(2)], { state: "writing", content: "", loading: true }));
    expect(document.activeElement).toBe(await button("Using tools: buy0 (tea), buy1 (tea), and buy2 (tea)"));
  });

  test("the focus moves to the line also if the text of the answer goes on in the block of the card", async () => {
    const at = "I look".length;
    const asked = answer([call(0, { at, state: "proposed" })], { state: "waiting", content: "I look" });
    const { update } = await show(asked);
    (await button("Allow once")).focus();
    update(answer([call(0, { at })], { state: "writing", content: "I look at tea." }));
    const line = await button("Worked in 1 step");
    expect(document.activeElement).toBe(line);
    update(answer([call(0, { at })], { content: "I look at tea.\n\nIt is green." }));
    expect(document.activeElement).toBe(await button("Worked in 1 step"));
  });

  test("the focus moves to the line also if the parts of the answer are away until they were read again", async () => {
    const { update } = await show(waiting([call(0, { state: "proposed" })]));
    (await button("Allow once")).focus();
    const joined: Parameters<typeof answer>[1] = { state: "writing", content: "", loading: true };
    update(answer([], { ...joined, parts: undefined }));
    expect(document.activeElement).toBe(document.body);
    update(answer([call(0, { state: "sent" })], joined));
    expect(document.activeElement).toBe(await button("Using tools: buy (tea)"));
  });

  test("parts that were read again take no focus that is elsewhere by then", async () => {
    const { update } = await show(waiting([call(0, { state: "proposed" })]));
    (await button("Allow once")).focus();
    update(answer([], { state: "writing", content: "", loading: true, parts: undefined }));
    const elsewhere = document.body.appendChild(document.createElement("input"));
    elsewhere.focus();
    elsewhere.blur();
    update(answer([call(0, { state: "sent" })], { state: "writing", content: "", loading: true }));
    expect(document.activeElement).toBe(document.body);
    elsewhere.remove();
  });

  test("a card that is removed takes no focus from elsewhere", async () => {
    const { update } = await show(waiting([call(0, { state: "proposed" })]));
    const elsewhere = document.body.appendChild(document.createElement("input"));
    elsewhere.focus();
    update(answer([call(0, { state: "approved" })], { state: "writing", content: "", loading: true }));
    expect(document.activeElement).toBe(elsewhere);
    elsewhere.remove();
  });

  test("a proposed call of an answer that does not wait asks nothing", async () => {
    await show(answer([call(0, { state: "proposed" })], { state: "stopped" }));
    expect(screen.queryByRole("group")).toBeNull();
    await button("Worked in 1 step");
  });

  test("an answer that waits has no words about its end", async () => {
    const { container } = await show(waiting([call(0, { state: "proposed" })]));
    expect(container.textContent).not.toContain("connection");
  });
});
