import type { MermaidConfig } from "mermaid";
import type { DiagramTheme } from "./diagram-messages.ts";

const colours = ["page", "raised", "sunken", "hairline", "muted", "ink", "accent"] as const;

const FONT = '"Inter Variable", system-ui, sans-serif';

/** Returns red, green and blue (0 to 255) of any CSS colour; grey if it is invalid. */
function paint(colour: string): [red: number, green: number, blue: number] {
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const pen = canvas.getContext("2d");
  if (!pen || !CSS.supports("color", colour)) return [128, 128, 128];
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = pen.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

/** Converts a colour to hex notation, the only syntax that Mermaid can calculate with. */
const hex = (colour: string) =>
  `#${paint(colour)
    .map((part) => part.toString(16).padStart(2, "0"))
    .join("")}`;

export const isDark = ({ page }: DiagramTheme): boolean => Math.max(...paint(page)) < 128;

/** Returns twelve hues of one lightness, from the accent's hue on, for elements that differ by colour and by label. */
const hues = (isOnDark: boolean) =>
  Array.from({ length: 12 }, (_, index) => {
    const hue = (195 + index * 150) % 360;
    return hex(isOnDark ? `oklch(0.42 0.06 ${hue})` : `oklch(0.89 0.045 ${hue})`);
  });

/** Mermaid's theme variables for each of the page's colours. */
const PAINTED: Record<keyof DiagramTheme, string> = {
  page:
    "background edgeLabelBackground sequenceNumberColor altSectionBkgColor quadrant3Fill pieStrokeColor " +
    "attributeBackgroundColorOdd relationLabelBackground",
  raised: "primaryColor mainBkg actorBkg tagLabelBackground",
  sunken:
    "secondaryColor tertiaryColor clusterBkg labelBoxBkgColor activationBkgColor sectionBkgColor sectionBkgColor2 " +
    "doneTaskBkgColor quadrant2Fill quadrant4Fill attributeBackgroundColorEven commitLabelBackground",
  hairline:
    "secondaryBorderColor tertiaryBorderColor clusterBorder actorLineColor labelBoxBorderColor noteBorderColor gridColor " +
    "doneTaskBorderColor pieOuterStrokeColor",
  muted:
    "primaryBorderColor nodeBorder lineColor actorBorder signalColor activationBorderColor taskBorderColor " +
    "activeTaskBorderColor relationColor tagLabelBorder",
  ink:
    "primaryTextColor secondaryTextColor tertiaryTextColor nodeTextColor textColor titleColor actorTextColor " +
    "signalTextColor labelTextColor loopTextColor noteTextColor taskTextColor taskTextDarkColor taskTextLightColor " +
    "taskTextOutsideColor pieTitleTextColor pieSectionTextColor pieLegendTextColor quadrantPointTextFill classText " +
    "relationLabelColor gitInv0 commitLabelColor tagLabelColor",
  accent: "todayLineColor quadrantPointFill",
};
const AXES = ["xAxis", "yAxis"];

const painted = (names: string, colour: string) => Object.fromEntries(names.split(" ").map((name) => [name, colour]));

/**
 * Returns style rules that no theme variable covers: labels of lines stand on the page's colour, through which the line
 * is not seen; nothing has a shadow, which glows on a dark page.
 */
export function cssOf({ page }: DiagramTheme): string {
  const colour = hex(page);
  const labels = ".edgeLabel rect, .edgeLabel .label rect, .relationshipLabelBox, .commit-label-bkg, .labelBkg";
  return `${labels} { fill: ${colour} !important; background-color: ${colour} !important; opacity: 1 !important; }
* { filter: none !important; text-shadow: none !important; }`;
}

/** Returns Mermaid's theme variables for the page's colours and font. */
export function themeOf(theme: DiagramTheme): MermaidConfig["themeVariables"] {
  const darkMode = isDark(theme);
  const scale = hues(darkMode);
  const ink = hex(theme.ink);
  const numbered = (name: string, from = 0) =>
    Object.fromEntries(scale.map((colour, index) => [`${name}${index + from}`, colour]));
  const labels = (name: string) => Object.fromEntries(scale.map((_, index) => [`${name}${index}`, ink]));
  return {
    darkMode,
    fontFamily: FONT,
    fontSize: "15px",
    pieOpacity: "1",
    dropShadow: "none",
    noteBkgColor: scale[1],
    taskBkgColor: scale[0],
    activeTaskBkgColor: scale[2],
    quadrant1Fill: scale[0],
    ...Object.assign({}, ...colours.map((colour) => painted(PAINTED[colour], hex(theme[colour])))),
    ...numbered("cScale"),
    ...numbered("pie", 1),
    ...numbered("git"),
    ...numbered("fillType"),
    ...labels("cScaleLabel"),
    ...labels("gitBranchLabel"),
    xyChart: {
      backgroundColor: hex(theme.page),
      titleColor: ink,
      ...painted(AXES.map((axis) => `${axis}LabelColor ${axis}TitleColor`).join(" "), ink),
      ...painted(AXES.map((axis) => `${axis}TickColor ${axis}LineColor`).join(" "), hex(theme.muted)),
      plotColorPalette: [hex(theme.accent), ...scale].join(","),
    },
  };
}
