import type { PictureLoss } from "#contract/conversation/known-parts.ts";
import type { AnswerFiles } from "../../../files/answer-files.ts";
import type { StreamedPicture } from "../../../models/attachments/streamed-pictures.ts";
import { isFilePart } from "../../parts/message-part.ts";
import type { GrowingReply } from "../live-reply.ts";

/**
 * Stores the pictures of one call in their order, while text arrives, and adds them to the reply: a part for each
 * that is stored, and a notice for those that are not.
 */
export class CallPictures {
  readonly #reply: GrowingReply;
  readonly #store: AnswerFiles["storePicture"] | undefined;
  #storing: Promise<void> = Promise.resolve();
  #loss: PictureLoss | undefined;

  /** @param store absent: nothing of the reply is stored */
  constructor(reply: GrowingReply, store: AnswerFiles["storePicture"] | undefined) {
    this.#reply = reply;
    this.#store = store;
  }

  /** Why the last picture that was not stored was not; undefined if all are. */
  get loss(): PictureLoss | undefined {
    return this.#loss;
  }

  add(picture: StreamedPicture): void {
    const at = this.#reply.text.length;
    this.#storing = this.#storing.then(() => this.#keep(picture, at));
  }

  /** Resolves when all pictures so far are stored or lost; never rejects. */
  stored(): Promise<void> {
    return this.#storing;
  }

  async #keep(picture: StreamedPicture, at: number): Promise<void> {
    const outcome = await this.#outcomeOf(picture);
    if (typeof outcome === "string") {
      this.#loss = outcome;
      this.#reply.addNotice("picture", { reason: outcome });
    } else {
      this.#reply.addFile(outcome, at);
    }
  }

  async #outcomeOf(picture: StreamedPicture) {
    if (!this.#store) return "temporary";
    if ("defect" in picture) return picture.defect;
    const { userId, parts } = this.#reply;
    return this.#store({ userId, bytes: picture.bytes, position: parts.all.filter(isFilePart).length });
  }
}
