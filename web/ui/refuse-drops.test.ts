import { expect, test } from "vitest";
import { refuseDrops } from "./refuse-drops.ts";

const drag = (type: string, dataTransfer: object) =>
  Object.assign(new Event(type, { bubbles: true, cancelable: true }), { dataTransfer });

test("files that nothing accepts are refused; text, links, and files that an element accepts are left alone", () => {
  refuseDrops();
  const area = document.body.appendChild(document.createElement("div"));
  for (const type of ["dragover", "drop"]) {
    const files = { types: ["Files"], dropEffect: "copy" };
    expect(area.dispatchEvent(drag(type, files))).toBe(false);
    expect(files.dropEffect).toBe("none");
    expect(area.dispatchEvent(drag(type, { types: ["text/uri-list"], dropEffect: "copy" }))).toBe(true);
    expect(area.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }))).toBe(true);
    const accepted = { types: ["Files"], dropEffect: "copy" };
    area.addEventListener(type, (event) => event.preventDefault(), { once: true });
    area.dispatchEvent(drag(type, accepted));
    expect(accepted.dropEffect).toBe("copy");
  }
  area.remove();
});
