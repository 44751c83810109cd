type Leaf = { x: number; y: number; width: number; height: number; tail: "start" | "end" };

const question: Leaf = { x: 128, y: 268, width: 300, height: 132, tail: "start" };
const answer: Leaf = { x: 232, y: 452, width: 372, height: 196, tail: "end" };

const ROUND = 56;
const RINGS = 11;
const RING_GAP = 28;
/** Factor by which each gap is wider than the one before, as with fading waves. */
const WIDENING = 1.16;

/** Returns the outline of a leaf of the logo at `distance` from it: round at three corners, pointed at its tail. */
function outline({ x, y, width, height, tail }: Leaf, distance: number): string {
  const [left, right, top, bottom] = [x - distance, x + width + distance, y - distance, y + height + distance];
  const r = ROUND + distance;
  // The offset curve of a corner point is an arc around it.
  const [startTail, endTail] = tail === "start" ? [distance, r] : [r, distance];
  return [
    `M${left + r} ${top}H${right - r}A${r} ${r} 0 0 1 ${right} ${top + r}`,
    `V${bottom - endTail}A${endTail} ${endTail} 0 0 1 ${right - endTail} ${bottom}`,
    `H${left + startTail}A${startTail} ${startTail} 0 0 1 ${left} ${bottom - startTail}`,
    `V${top + r}A${r} ${r} 0 0 1 ${left + r} ${top}Z`,
  ].join("");
}

function Rings({ leaf, className, strongest }: { leaf: Leaf; className: string; strongest: number }) {
  return (
    <g fill="none" className={className} strokeWidth="1">
      {Array.from({ length: RINGS }, (_, index) => index + 1).map((ring) => (
        <path
          key={ring}
          d={outline(leaf, RING_GAP * ring ** WIDENING)}
          strokeOpacity={strongest * (1 - ring / (RINGS + 1)) ** 1.4}
        />
      ))}
    </g>
  );
}

/** Large drawing of the logo: two leaves, a question and its answer, with rings around them. */
export function VoicesDrawing() {
  return (
    <svg aria-hidden="true" viewBox="0 0 720 900" preserveAspectRatio="xMidYMid slice" className="size-full">
      <Rings leaf={question} className="stroke-accent" strongest={0.5} />
      <Rings leaf={answer} className="stroke-ink" strongest={0.24} />
      <path d={outline(question, 0)} className="fill-accent" />
      <g className="stroke-on-accent" strokeWidth="7" strokeLinecap="round" strokeOpacity="0.8">
        <path d="M182 316h44M248 316h92M362 316h20" />
        <path d="M182 350h74M278 350h36" />
      </g>
      <path d={outline(answer, 0)} className="fill-raised stroke-hairline" />
      <g className="stroke-ink" strokeWidth="7" strokeLinecap="round" strokeOpacity="0.3">
        <path d="M288 502h62M372 502h30M424 502h104" />
        <path d="M288 536h96M406 536h52M480 536h68" />
        <path d="M288 570h24M334 570h84M440 570h46M508 570h36" />
        <path d="M288 604h58" />
      </g>
      <path d="M370 594v20" className="stroke-accent" strokeWidth="4" strokeLinecap="round" />
    </svg>
  );
}
