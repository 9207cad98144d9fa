/** Trees in flat arrays: a node with feature -1 is a leaf. */
interface FlatTrees {
  roots: number[];
  feature: number[];
  /** The threshold of a node, or the value of a leaf. */
  number: number[];
  right: number[];
}

/** Returns the sum of the leaves for a row of features. */
export type Trees = (row: ArrayLike<number>) => number;

const valueScale = 1000;

/**
 * Reads trees from a table: trees on lines of their own or parted by `;`, the nodes in the order node, left, right; `7<0.5` goes left when
 * number 7 of
 * the row is at most 0.5, and a lone integer is a leaf, in thousandths.
 */
export function decodeTrees(table: string): Trees {
  const flat: FlatTrees = { roots: [], feature: [], number: [], right: [] };
  for (const line of table.trim().split(/[\n;]/)) {
    flat.roots.push(flat.feature.length);
    const open: number[] = [];
    for (const token of line.trim().split(" ")) {
      const node = flat.feature.length;
      const cut = token.indexOf("<");
      flat.right.push(0);
      if (cut >= 0) {
        flat.feature.push(Number(token.slice(0, cut)));
        flat.number.push(Number(token.slice(cut + 1)));
        open.push(node);
        continue;
      }
      flat.feature.push(-1);
      flat.number.push(Number(token) / valueScale);
      const parent = open.pop();
      if (parent !== undefined) flat.right[parent] = node + 1;
    }
  }
  return (row) => sumLeaves(flat, row);
}

function sumLeaves({ roots, feature, number, right }: FlatTrees, row: ArrayLike<number>): number {
  let sum = 0;
  for (const root of roots) {
    let node = root;
    for (let at = feature[node] ?? -1; at >= 0; at = feature[node] ?? -1) {
      node = (row[at] ?? 0) <= (number[node] ?? 0) ? node + 1 : (right[node] ?? 0);
    }
    sum += number[node] ?? 0;
  }
  return sum;
}

/** Converts a sum of leaves to a probability. */
export function predictChance(sum: number): number {
  return 1 / (1 + Math.exp(-sum));
}
