import script from "./pdf-worker.ts?worker&url";

/** Trusted Types policy that allows this worker's URL only, whatever its argument. */
const policy = { createScriptURL: () => script };
/** A name can be taken only once in a page. */
let trustedScript: string | undefined;

/** Starts a worker that draws one PDF. */
export function startPdfWorker(): Worker {
  trustedScript ??= (window.trustedTypes?.createPolicy("parley-pdf-worker", policy) ?? policy).createScriptURL(script);
  return new Worker(trustedScript, { type: "module" });
}
