import fc from "fast-check";
import { expect, test } from "vitest";
import { fitView, moveView, zoomView } from "./view.ts";

const box = { width: 800, height: 600 };
const size = { width: 400, height: 100 };

test("a diagram fits its box in the middle, enlarged by half at most", () => {
  expect(fitView(size, box)).toEqual({ scale: 1.5, x: 100, y: 225 });
  const wide = fitView({ width: 7680, height: 100 }, box);
  expect(wide).toEqual({ scale: 0.1, x: 16, y: 295 });
});

test("zooming keeps the point under the pointer in its position", () => {
  const view = zoomView(fitView(size, box), 2, { x: 100, y: 225 }, size, box);
  expect(view).toEqual({ scale: 3, x: 100, y: 225 });
  const other = zoomView(fitView(size, box), 2, { x: 400, y: 300 }, size, box);
  expect(other).toEqual({ scale: 3, x: -200, y: 150 });
});

test("a view is never lost, however it is changed", () => {
  const number = fc.double({ min: -3000, max: 3000, noNaN: true });
  const length = fc.integer({ min: 1, max: 20_000 });
  const changes = fc.array(fc.tuple(fc.double({ min: 0.01, max: 100, noNaN: true }), number, number), { maxLength: 8 });
  fc.assert(
    fc.property(length, length, changes, (width, height, all) => {
      const one = { width, height };
      let view = fitView(one, box);
      for (const [factor, x, y] of all) view = zoomView(moveView(view, x, y, one, box), factor, { x, y }, one, box);
      expect(view.x).toBeLessThanOrEqual(box.width);
      expect(view.x + width * view.scale).toBeGreaterThanOrEqual(0);
      expect(view.y).toBeLessThanOrEqual(box.height);
      expect(view.y + height * view.scale).toBeGreaterThanOrEqual(0);
      expect(view.scale).toBeLessThanOrEqual(8);
    }),
  );
});
