/** For tests: replaces XMLHttpRequest, by which files are uploaded; see fake-api.ts for other calls. */

import { vi } from "vitest";
import { API_BASE } from "#contract/http.ts";

/** An upload that waits for the test: `answer` ends it. `path` is without the API base. */
export type FakeUpload = {
  path: string;
  name: string;
  type: string;
  size: number;
  answer: (status: number, json: unknown) => void;
};

/** Returns the live list of uploads, in the order in which their requests began. */
export function fakeUploads(): FakeUpload[] {
  const uploads: FakeUpload[] = [];
  class FakeRequest extends EventTarget {
    readonly upload = new EventTarget();
    status = 0;
    responseText = "";
    #path = "";
    #name = "";
    open(_method: string, url: string) {
      this.#path = url.slice(API_BASE.length);
    }
    setRequestHeader(name: string, value: string) {
      if (name === "x-file-name") this.#name = decodeURIComponent(value);
    }
    getAllResponseHeaders() {
      return "content-type: application/json";
    }
    send(body: Blob | null) {
      uploads.push({
        ...{ path: this.#path, name: this.#name, type: body?.type ?? "", size: body?.size ?? 0 },
        answer: (status, json) => {
          this.status = status;
          this.responseText = JSON.stringify(json);
          this.dispatchEvent(new Event("load"));
        },
      });
    }
    abort() {}
  }
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
  return uploads;
}
