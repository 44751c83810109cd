import type { CDPSession, Page } from "@playwright/test";

type Place = { x: number; y: number };

/** Simulates one finger on the screen by DevTools input events. */
export class Finger {
  readonly #devtools: CDPSession;
  #isDown = false;
  #place: Place = { x: 0, y: 0 };

  private constructor(devtools: CDPSession) {
    this.#devtools = devtools;
  }

  static async of(page: Page): Promise<Finger> {
    return new Finger(await page.context().newCDPSession(page));
  }

  async down(x: number, y: number): Promise<void> {
    if (this.#isDown) await this.up();
    this.#isDown = true;
    this.#place = { x, y };
    await this.#devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [this.#place] });
  }

  /** Moves in small steps, as a finger does. */
  async move(x: number, y = this.#place.y, steps = 12): Promise<void> {
    const from = this.#place;
    for (let step = 1; step <= steps; step++) {
      this.#place = { x: from.x + ((x - from.x) * step) / steps, y: from.y + ((y - from.y) * step) / steps };
      await this.#devtools.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [this.#place] });
    }
  }

  async up(): Promise<void> {
    this.#isDown = false;
    await this.#devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }

  async cancel(): Promise<void> {
    this.#isDown = false;
    await this.#devtools.send("Input.dispatchTouchEvent", { type: "touchCancel", touchPoints: [] });
  }
}

/** Simulates two fingers beside each other around a point, which move to `to` times their distance. */
export async function pinch(page: Page, { x, y }: Place, to: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const [steps, distance] = [12, 80];
  const touchPoints = (step: number) => {
    const half = (distance * (1 + ((to - 1) * step) / steps)) / 2;
    return [
      { x: x - half, y, id: 0 },
      { x: x + half, y, id: 1 },
    ];
  };
  await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: touchPoints(0) });
  for (let step = 1; step <= steps; step++)
    await devtools.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: touchPoints(step) });
  await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await devtools.detach();
}
