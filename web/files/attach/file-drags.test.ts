import { afterEach, beforeEach, expect, test } from "vitest";
import { FileDrags } from "./file-drags.ts";

let dropped: readonly string[][] = [];
let drags: FileDrags;

beforeEach(() => {
  dropped = [];
  drags = new FileDrags(({ types }) => {
    dropped = [...dropped, [...types]];
  });
});
afterEach(() => {
  drags.dispose();
  document.body.replaceChildren();
});

/** Dispatches a drag event. @returns whether the page has taken it */
function drag(type: string, types: string[] = ["Files"], target: EventTarget = document.body): boolean {
  const event = new Event(type, { bubbles: true, cancelable: true });
  Object.assign(event, { dataTransfer: { types, dropEffect: "" } });
  return !target.dispatchEvent(event);
}

test("files that are dragged over the window show it until they are dropped", () => {
  expect(drag("dragenter")).toBe(true);
  expect(drags.isOver.get()).toBe(true);
  expect(drag("dragover")).toBe(true);
  expect(drag("drop")).toBe(true);
  expect([drags.isOver.get(), dropped]).toEqual([false, [["Files"]]]);
});

test("a drag that moves from one element to another does not leave the window", () => {
  const child = document.body.appendChild(document.createElement("p"));
  drag("dragenter");
  drag("dragenter", ["Files"], child);
  drag("dragleave");
  expect(drags.isOver.get()).toBe(true);
  drag("dragleave", ["Files"], child);
  expect(drags.isOver.get()).toBe(false);
});

test("dragged text and links are left to the browser", () => {
  for (const type of ["dragenter", "dragover", "drop"]) expect(drag(type, ["text/plain", "text/uri-list"])).toBe(false);
  expect([drags.isOver.get(), dropped]).toEqual([false, []]);
});

test("a picture of the page that is dragged within it is not attached again", () => {
  drag("dragstart");
  expect(drag("dragenter", ["text/html", "Files"])).toBe(false);
  expect(drag("drop", ["text/html", "Files"])).toBe(false);
  drag("dragend");
  drag("dragenter");
  expect([drags.isOver.get(), dropped]).toEqual([true, []]);
});

test("files that are dragged over a dialog are neither taken nor opened by the browser", () => {
  document.body.innerHTML = '<div role="dialog"></div>';
  drag("dragenter");
  expect(drags.isOver.get()).toBe(false);
  expect(drag("dragover")).toBe(true);
  expect(drag("drop")).toBe(true);
  expect(dropped).toEqual([]);
});

test("no drag is followed any more after the disposal", () => {
  drag("dragenter");
  drags.dispose();
  expect(drags.isOver.get()).toBe(false);
  expect(drag("drop")).toBe(false);
});
