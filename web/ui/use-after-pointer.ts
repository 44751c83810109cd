import { useLayoutEffect, useState } from "react";
import { afterPointer } from "./after-pointer.ts";

/** Returns `value` or, while a button of the pointing device is held down, the value that was returned before. */
export function useAfterPointer<Value extends string | boolean | null>(value: Value): Value {
  const [shown, setShown] = useState(value);
  useLayoutEffect(() => {
    if (shown !== value) afterPointer(() => setShown(value));
  }, [shown, value]);
  return shown;
}
