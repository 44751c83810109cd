import { type ReactNode, useId } from "react";

type FigureCardProps = {
  title: string;
  figure: ReactNode;
  /** Smaller numbers below the figure. */
  rows: readonly { name: string; value: ReactNode }[];
};

/** Card with one large figure and some smaller ones. */
export function FigureCard({ title, figure, rows }: FigureCardProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-surface border border-hairline bg-raised p-4 sm:p-5">
      <h2 id={id} className="text-muted text-sm">
        {title}
      </h2>
      <p className="mt-1 break-words font-semibold text-2xl tabular-nums tracking-[-0.022em]">{figure}</p>
      <dl className="mt-4 flex flex-col gap-1.5 text-sm">
        {rows.map(({ name, value }) => (
          <div key={name} className="flex items-baseline justify-between gap-3">
            <dt className="min-w-0 text-muted">{name}</dt>
            <dd className="shrink-0 tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
