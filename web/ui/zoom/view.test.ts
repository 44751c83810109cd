import fc from "fast-check";
import { expect, test } from "vitest";
import { drawingFraming, fitView, moveView, pictureFraming, zoomView } from "./view.ts";

const box = { width: 800, height: 600 };
const size = { width: 400, height: 100 };

test("a diagram fits its box in the middle, enlarged by half at most", () => {
  expect(fitView(size, box, drawingFraming)).toEqual({ scale: 1.5, x: 100, y: 225 });
  const wide = fitView({ width: 7680, height: 100 }, box, drawingFraming);
  expect(wide).toEqual({ scale: 0.1, x: 16, y: 295 });
});

test("zooming keeps the point under the pointer in its position", () => {
  const view = zoomView(fitView(size, box, drawingFraming), 2, { x: 100, y: 225 }, size, box, drawingFraming);
  expect(view).toEqual({ scale: 3, x: 100, y: 225 });
  const other = zoomView(fitView(size, box, drawingFraming), 2, { x: 400, y: 300 }, size, box, drawingFraming);
  expect(other).toEqual({ scale: 3, x: -200, y: 150 });
});

test.each([
  ["drawing", drawingFraming],
  ["picture", pictureFraming],
])("the view of a %s is never lost, however it is changed", (_name, framing) => {
  const number = fc.double({ min: -3000, max: 3000, noNaN: true });
  const length = fc.integer({ min: 1, max: 20_000 });
  const changes = fc.array(fc.tuple(fc.double({ min: 0.01, max: 100, noNaN: true }), number, number), { maxLength: 8 });
  fc.assert(
    fc.property(length, length, changes, (width, height, all) => {
      const one = { width, height };
      let view = fitView(one, box, framing);
      for (const [factor, x, y] of all)
        view = zoomView(moveView(view, x, y, one, box, framing), factor, { x, y }, one, box, framing);
      expect(view.x).toBeLessThanOrEqual(box.width);
      expect(view.x + width * view.scale).toBeGreaterThanOrEqual(0);
      expect(view.y).toBeLessThanOrEqual(box.height);
      expect(view.y + height * view.scale).toBeGreaterThanOrEqual(0);
      expect(view.scale).toBeLessThanOrEqual(8);
    }),
  );
});

test("a picture is not enlarged by fitting, and lies in the middle where the box is larger", () => {
  expect(fitView(size, box, pictureFraming)).toEqual({ scale: 1, x: 200, y: 250 });
  const fitted = fitView(size, box, pictureFraming);
  expect(moveView(fitted, 70, -90, size, box, pictureFraming)).toEqual(fitted);
  expect(zoomView(fitted, 0.5, { x: 0, y: 0 }, size, box, pictureFraming)).toEqual(fitted);
});

test("an enlarged picture cannot be moved off an edge of its box", () => {
  const tall = { width: 400, height: 400 };
  const enlarged = zoomView(fitView(tall, box, pictureFraming), 4, { x: 400, y: 300 }, tall, box, pictureFraming);
  expect(moveView(enlarged, 5000, -5000, tall, box, pictureFraming)).toEqual({ scale: 4, x: 0, y: -1000 });
});
