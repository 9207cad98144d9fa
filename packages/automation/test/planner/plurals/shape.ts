/** A kind of page, and tasks that read several things of it. */
export interface PageShape {
  /** What kind of page; unique. */
  readonly about: string;
  /** The page as the task finds it, and as the function does later: of another length, in another order. */
  readonly pages: readonly [now: string, later: string];
  /** Tasks, after the page was opened. */
  readonly tasks: readonly PluralTask[];
}

/** A task, and what is right. */
export interface PluralTask {
  /** The clause. */
  readonly task: string;
  /** The data that the run gives, and what the function gives later. */
  readonly gives?: readonly [now: unknown, later: unknown];
  /** What the notes or the completeness of the run say. Default: the run has no notes. */
  readonly tells?: RegExp;
  /** What the error says, if it can't be done for certain. */
  readonly error?: RegExp;
}

/** A task whose data follow from the rows of the page, or the words of its error. */
type TaskOf<Row> =
  | readonly [task: string, gives: (rows: readonly Row[]) => unknown, tells?: RegExp]
  | readonly [task: string, error: RegExp];

/** Makes a kind of page from what it lists now, and later. */
export function shape<Row>(
  about: string,
  [now, later]: readonly [now: readonly Row[], later: readonly Row[]],
  page: (rows: readonly Row[]) => string,
  tasks: readonly TaskOf<Row>[],
): PageShape {
  return {
    about,
    pages: [page(now), page(later)],
    tasks: tasks.map(([task, right, tells]) =>
      right instanceof RegExp
        ? { task, error: right }
        : { task, gives: [right(now), right(later)], ...(tells ? { tells } : {}) },
    ),
  };
}

/** Writes a part for each row. */
export function each<Row>(rows: readonly Row[], write: (row: Row, index: number) => string): string {
  return rows.map(write).join("");
}
