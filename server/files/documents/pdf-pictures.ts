import { getDocumentProxy } from "unpdf";

/** Largest time for the pages of a document, in ms; each takes about 1 ms. */
const MAX_MS = 2000;
/** Drawn shapes from which on a page is a picture: fewer are its background and lines. */
const MIN_SHAPES = 10;
/** Of pdf.js, `OPS`: a path, of which the first argument is how it is painted, and a gradient. */
const [CONSTRUCT_PATH, END_PATH, SHADING_FILL] = [91, 28, 62];

/**
 * Returns which of the pages without text are pictures, and not blank. No picture is decoded: pdf.js removes pictures
 * above a size, here all, and reports it by a warning only. A page that fails, or for which no time is left, is taken
 * for a picture.
 * @param options of pdf.js
 */
export async function findPictures(
  bytes: Uint8Array,
  numbers: readonly number[],
  options: object,
): Promise<Set<number>> {
  const pdf = await getDocumentProxy(bytes, { ...options, maxImageSize: 0, verbosity: 1 });
  const { warn } = console;
  let hasImage = false;
  console.warn = (message: unknown) => {
    hasImage ||= String(message).includes("Image exceeded");
  };
  try {
    const end = performance.now() + MAX_MS;
    const pictures = new Set<number>();
    for (const number of numbers) {
      hasImage = false;
      const isPicture = performance.now() > end || (await hasShapes(pdf, number).catch(() => true)) || hasImage;
      if (isPicture) pictures.add(number);
    }
    return pictures;
  } finally {
    console.warn = warn;
    await pdf.loadingTask.destroy();
  }
}

async function hasShapes(pdf: Awaited<ReturnType<typeof getDocumentProxy>>, number: number): Promise<boolean> {
  const page = await pdf.getPage(number);
  // 0: without annotations, which have texts of their own.
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: 0 });
  page.cleanup();
  const isShape = (operator: number, at: number) =>
    operator === SHADING_FILL || (operator === CONSTRUCT_PATH && argsArray[at]?.[0] !== END_PATH);
  return fnArray.filter(isShape).length >= MIN_SHAPES;
}
