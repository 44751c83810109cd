import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  answerWith,
  showAnswer,
  stubResizeObserver,
  toolCall,
  waitingAnswer,
} from "../../testing/fakes/tool-answers.tsx";
import { richReplyModule } from "../reply-body.tsx";

beforeEach(async () => {
  await richReplyModule.load();
  stubResizeObserver();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const from = { name: "Tea shop", host: "tea.example" };

async function open(more: Parameters<typeof toolCall>[1]) {
  await showAnswer(answerWith([toolCall(0, { arguments: "{}", from, ...more })]));
  fireEvent.click(await screen.findByRole("button", { name: "Worked in 1 step" }));
  return screen.getAllByRole("region", { name: /^Result/ });
}
const cells = () => screen.getAllByRole("row").map((row) => [...row.children].map(({ textContent }) => textContent));

test("a structured result with one list of objects is a table, once, and its JSON is one click away", async () => {
  const json = '{"shop":"Ada","teas":[{"name":"Green","price":3},{"name":"Black","origin":{"land":"IN"}}]}';
  const boxes = await open({ structured: json, result: ` ${json}` });
  expect(boxes).toHaveLength(1);
  expect(boxes[0]?.textContent).toContain("shop: Ada");
  expect(cells()).toEqual([
    ["name", "price", "origin"],
    ["Green", "3", ""],
    ["Black", "", '{"land":"IN"}'],
  ]);
  fireEvent.click(screen.getByRole("button", { name: "Raw JSON: Result of buy" }));
  expect(boxes[0]?.textContent).toBe(json);
});

test("a text beside a structured result stays, and an object without a list is read as fields", async () => {
  const boxes = await open({ structured: '{"stock":7}', result: "Seven are left." });
  expect(boxes.map(({ textContent }) => textContent)).toEqual(["Seven are left.", "stock: 7"]);
});

test("a list of flat values is one line of a field, and other values are indented", async () => {
  const [box] = await open({ structured: '{"tags":["a, b",1,null],"at":{"x":[1]}}' });
  expect(box?.textContent).toBe('tags: ["a, b", 1, null]at: {\n  "x": [\n    1\n  ]\n}');
});

test("a long table is cut, and says so", async () => {
  const row = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`c${index}`, index]));
  const [box] = await open({ structured: JSON.stringify(Array(1500).fill(row)) });
  expect(screen.getAllByRole("row")).toHaveLength(201);
  expect(screen.getAllByRole("columnheader")).toHaveLength(20);
  expect(box?.textContent).toContain("Only the first 200 of 1,500 rows are shown.");
  expect(box?.textContent).toContain("Only the first 20 of 25 columns are shown.");
});

test("a structured result that is no JSON is left out", async () => {
  const boxes = await open({ structured: "{oops", result: "Text" });
  expect(boxes.map(({ textContent }) => textContent)).toEqual(["Text"]);
});

test("a call of a server shows its title, the server and its host", async () => {
  await open({ title: "Buy tea", result: "Bought." });
  expect(screen.getByRole("listitem").textContent).toContain("Buy teaDoneTea shop · tea.example");
});

test("a running call shows how far it is, and each quarter is announced", async () => {
  const running = (done: number) =>
    answerWith([toolCall(0, { state: "sent", from, progress: { done, total: 8, message: "Packing" } })], {
      ...{ state: "writing", content: "", loading: true },
    });
  const { update } = await showAnswer(running(1));
  const bar = await screen.findByRole("progressbar", { name: "Progress of buy" });
  expect([bar.getAttribute("aria-valuenow"), bar.getAttribute("aria-valuetext")]).toEqual(["12", "1 of 8"]);
  screen.getByText("Packing");
  const announced = () => screen.getAllByRole("status").map(({ textContent }) => textContent);
  expect(announced()).not.toContain("Progress of buy: 25%");
  update(running(2));
  expect(announced()).toContain("Progress of buy: 25%");
  update(running(3));
  expect(announced()).toContain("Progress of buy: 25%");
});

test("a running call without a total has no bar", async () => {
  const part = toolCall(0, { state: "sent", from, progress: { done: 3, message: "Searching" } });
  const { container } = await showAnswer(answerWith([part], { state: "writing", content: "", loading: true }));
  await screen.findByText("Searching");
  expect(container.querySelector("[role=progressbar]")).toBeNull();
});

test.each([
  ["read", "Tea shop says that this only reads."],
  ["add", "Tea shop says that this adds or changes, but does not delete."],
  ["change", "May change or delete."],
  ["of a later version", "May change or delete."],
])("a card says what a call with the effect “%s” may do", async (effect, sentence) => {
  await showAnswer(waitingAnswer([toolCall(0, { state: "proposed", title: "Buy tea", from, effect })]));
  const card = screen.getByRole("group", { name: "The assistant wants to use Buy tea of Tea shop" });
  expect(card.textContent).toContain(`tea.example${sentence}`);
});
