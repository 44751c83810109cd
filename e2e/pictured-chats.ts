/** One chat of the documentation's pictures. */

type Talk = { title: string; question: string; answer: string };
/** The first chat is pinned, the second is in the first folder, and the last one is open. */
export type Story = { person: [string, string]; folders: string[]; chats: Talk[] };

export const english: Story = {
  person: ["Ada", "Lovelace"],
  folders: ["Work", "Travels"],
  chats: [
    {
      title: "A toast for Maria",
      question: "Help me with a short toast for Maria's fiftieth birthday.",
      answer: "To Maria, who never once arrived without cake, and never once left anybody out.",
    },
    {
      title: "Outline of the autumn report",
      question: "Outline the autumn report.",
      answer: "1. What changed\n2. What it cost\n3. What comes next",
    },
    {
      title: "Why the sky is blue",
      question: "Why is the sky blue at noon and red at sunrise?",
      answer:
        "Air scatters blue light more than red. At sunrise the light comes a longer way, and red is what is left.",
    },
    {
      title: "Sourdough at altitude",
      question: "How does sourdough rise at altitude?",
      answer: "Faster, so shorten the rise: the air is thinner, and the gas expands more.",
    },
    {
      title: "A weekend in Lisbon",
      question: "Plan a weekend in Lisbon with a rainy Saturday.",
      answer: "Saturday belongs to the tile museum and the arcades; on Sunday take the ferry to Cacilhas.",
    },
    {
      title: "Tides, in plain words",
      question: "How do the tides work? Plain words, and one small table.",
      answer: `The Moon pulls the near side of the Earth a little more strongly than its middle, and the middle more than the far side. The oceans stretch along that line, so there are **two bulges**, and the Earth turns beneath them.

| Moon | Sun, Moon and Earth | Tide |
| --- | --- | --- |
| new or full | in one line | spring tide: the highest highs |
| half | at a right angle | neap tide: the smallest range |

A rough rule for the hour of the next high water:

\`\`\`ts
/** Hours until the next high water; the Moon passes a little later each day. */
export function hoursToHighWater(lastHighWater: Date, now: Date): number {
  const period = 12 + 25 / 60;
  const passed = (now.getTime() - lastHighWater.getTime()) / 3_600_000;
  return period - (passed % period);
}
\`\`\`

The shape of the coast matters more than the sky: in the Bay of Fundy the sea rises by 16 metres, in the Baltic hardly at all.
`,
    },
  ],
};

export const arabic: Story = {
  person: ["Layla", "Haddad"],
  folders: ["العمل", "السفر"],
  chats: [
    {
      title: "كلمة في عيد ميلاد مريم",
      question: "ساعدني في كلمة قصيرة لعيد ميلاد مريم.",
      answer: "إلى مريم، التي لم تنس أحدًا قط.",
    },
    {
      title: "مخطط تقرير الخريف",
      question: "ضع مخططًا لتقرير الخريف.",
      answer: "1. ما تغيّر\n2. التكلفة\n3. الخطوة التالية",
    },
    {
      title: "لماذا السماء زرقاء؟",
      question: "لماذا السماء زرقاء؟",
      answer: "لأن الهواء يشتّت الضوء الأزرق أكثر من الأحمر.",
    },
    {
      title: "Sourdough at altitude",
      question: "How does sourdough rise at altitude?",
      answer: "Faster: the air is thinner.",
    },
    {
      title: "المد والجزر بكلمات بسيطة",
      question: "كيف يحدث المد والجزر؟ بكلمات بسيطة وجدول صغير واحد.",
      answer: `يجذب القمر الجانب القريب من الأرض بقوة أكبر قليلًا من وسطها، فتتمدد المحيطات على هذا الخط ويتكوّن **انتفاخان** تدور الأرض تحتهما.

| القمر | الشمس والقمر والأرض | المد |
| --- | --- | --- |
| محاق أو بدر | على خط واحد | مد أعلى: أكبر فرق |
| تربيع | بزاوية قائمة | مد أدنى: أصغر فرق |

قاعدة تقريبية لساعة المد التالي:

\`\`\`ts
/** Hours until the next high water. */
export const hoursToHighWater = (passed: number) => 12 + 25 / 60 - passed;
\`\`\`

شكل الساحل أهم من السماء: في خليج فندي يرتفع البحر 16 مترًا، وفي بحر البلطيق لا يكاد يرتفع.
`,
    },
  ],
};
