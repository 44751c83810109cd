import type { replies as english } from "../en/replies.ts";
import type { Translated } from "../translated.ts";

export const replies: Translated<typeof english> = {
  numbers: "行番号",
  formula: "数式",
  diagram: {
    view: "図を表示",
    source: "ソースを表示",
    copy: "ソースをコピー",
    enlarge: "拡大",
    failed: "この図を描画できませんでした。ソースを表示します。",
    notShown: "この図を描画できませんでした。",
    long: "この図は大きすぎて描画できません。ソースを表示します。",
    again: "再試行",
    kinds: {
      architecture: "アーキテクチャ図",
      block: "ブロック図",
      c4: "C4 図",
      class: "クラス図",
      er: "ER 図",
      flowchart: "フローチャート",
      gantt: "ガントチャート",
      gitGraph: "Git グラフ",
      journey: "ユーザージャーニー",
      kanban: "カンバンボード",
      mindmap: "マインドマップ",
      other: "図",
      pie: "円グラフ",
      quadrantChart: "四象限図",
      requirement: "要求図",
      sankey: "サンキー図",
      sequence: "シーケンス図",
      state: "状態遷移図",
      timeline: "年表",
      xychart: "グラフ",
    },
  },
};
