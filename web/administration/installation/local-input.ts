/** Converts times of `<input type="datetime-local">`, which are in the time zone of the browser. */

/** Returns a Unix time in ms as the value of the input, exact to the minute. */
export function toLocalInput(at: number): string {
  const time = new Date(at);
  const pad = (part: number) => String(part).padStart(2, "0");
  const date = `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;
  return `${date}T${pad(time.getHours())}:${pad(time.getMinutes())}`;
}

/** Returns the time of the input's value; undefined if it is empty or no time. */
export function fromLocalInput(value: string): number | undefined {
  const at = value === "" ? Number.NaN : new Date(value).getTime();
  return Number.isNaN(at) ? undefined : at;
}
