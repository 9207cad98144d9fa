import type { ComponentChildren, JSX } from "preact";

/** Names of columns with numbers, which are aligned to the right. */
const numeric: ReadonlySet<string> = new Set(["Lasted", "Cost", "Size"]);

/** A table that scrolls by itself where it is wider than the screen. */
export function DataTable({
  label,
  columns,
  children,
}: {
  label: string;
  columns: readonly string[];
  children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col" class={numeric.has(name) ? "number" : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
