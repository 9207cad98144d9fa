// oxlint-disable typescript/no-unsafe-type-assertion -- indices that are in range by construction, in the loops that take all the time
/** A tree by its nodes: a leaf has feature -1 and a value; other nodes go left for numbers up to their threshold. */
export interface TrainedTree {
  feature: number[];
  threshold: number[];
  left: number[];
  right: number[];
  value: number[];
}

/** Rows to learn from: numbers, what is right (0 to 1), and how much it counts. */
export interface TrainingRows {
  rows: readonly Float32Array[];
  target: Float64Array;
  weight: Float64Array;
}

/** How to learn. */
export interface TrainingOptions {
  trees: number;
  leaves: number;
  rate: number;
  featureShare: number;
  rowShare: number;
  /** Least sum of weighted curvature in a leaf. */
  leafWeight: number;
  /** Fewest rows in a leaf. */
  leafRows: number;
  ridge: number;
  seed: number;
}

/** Columns of a table, each number replaced by the bin that it falls into. */
interface Bins {
  edges: number[][];
  columns: Uint8Array[];
}

interface Leaf {
  node: number;
  from: number;
  to: number;
  g: number;
  h: number;
  /** Per wanted feature and bin: sum of gradients, of curvatures, number of rows. */
  histogram: Float64Array;
  gain: number;
  feature: number;
  bin: number;
}

const binCount = 64;
const perFeature = binCount * 3;

/** Learns boosted trees for a logistic loss, on histograms; the same input gives the same trees. */
export function trainTrees({ rows, target, weight }: TrainingRows, options: TrainingOptions): TrainedTree[] {
  const bins = getBins(rows);
  const random = randomFrom(options.seed);
  const score = new Float64Array(rows.length);
  const gradient = new Float64Array(rows.length);
  const curvature = new Float64Array(rows.length);
  const trees: TrainedTree[] = [];
  for (let round = 0; round < options.trees; round += 1) {
    const order = new Int32Array(rows.length);
    let count = 0;
    for (let row = 0; row < rows.length; row += 1) {
      const p = 1 / (1 + Math.exp(-(score[row] ?? 0)));
      gradient[row] = (p - (target[row] ?? 0)) * (weight[row] ?? 0);
      curvature[row] = Math.max(1e-6, p * (1 - p)) * (weight[row] ?? 0);
      if (random() < options.rowShare) order[count++] = row;
    }
    const features = bins.edges.flatMap((edges, feature) =>
      random() < options.featureShare && edges.length > 0 ? [feature] : [],
    );
    const tree = growTree(bins, order.subarray(0, count), gradient, curvature, features, options);
    for (let row = 0; row < rows.length; row += 1)
      score[row] = (score[row] ?? 0) + computeValue(tree, rows[row] ?? new Float32Array());
    trees.push(tree);
  }
  return trees;
}

/** The chance that a row is right. */
export function computeChance(trees: readonly TrainedTree[], row: ArrayLike<number>): number {
  let score = 0;
  for (const tree of trees) score += computeValue(tree, row);
  return 1 / (1 + Math.exp(-score));
}

function computeValue(tree: TrainedTree, row: ArrayLike<number>): number {
  for (let node = 0; ;) {
    const feature = tree.feature[node] ?? -1;
    if (feature < 0) return tree.value[node] ?? 0;
    node = ((row[feature] ?? 0) <= (tree.threshold[node] ?? 0) ? tree.left[node] : tree.right[node]) ?? 0;
  }
}

function growTree(
  bins: Bins,
  order: Int32Array,
  gradient: Float64Array,
  curvature: Float64Array,
  features: number[],
  options: TrainingOptions,
): TrainedTree {
  const tree: TrainedTree = { feature: [-1], threshold: [0], left: [0], right: [0], value: [0] };
  const measure = (node: number, from: number, to: number): Leaf => {
    const histogram = new Float64Array(features.length * perFeature);
    const part = order.subarray(from, to);
    features.forEach((feature, nth) =>
      fillHistogram(histogram, nth * perFeature, bins.columns[feature] as Uint8Array, part, gradient, curvature),
    );
    return ratedLeaf({ node, from, to, g: 0, h: 0, histogram, gain: 0, feature: -1, bin: 0 }, bins, features, options);
  };
  const open: Leaf[] = [measure(0, 0, order.length)];
  while (open.length < options.leaves) {
    let best = 0;
    for (let at = 1; at < open.length; at += 1) if ((open[at]?.gain ?? 0) > (open[best]?.gain ?? 0)) best = at;
    const leaf = open[best];
    if (leaf === undefined || leaf.gain <= 1e-9) break;
    open.splice(best, 1);
    const middle =
      leaf.from + partition(order.subarray(leaf.from, leaf.to), bins.columns[leaf.feature] as Uint8Array, leaf.bin);
    const left = tree.feature.length;
    for (let added = 0; added < 2; added += 1) {
      tree.feature.push(-1);
      tree.threshold.push(0);
      tree.left.push(0);
      tree.right.push(0);
      tree.value.push(0);
    }
    tree.feature[leaf.node] = leaf.feature;
    tree.threshold[leaf.node] = bins.edges[leaf.feature]?.[leaf.bin] ?? 0;
    tree.left[leaf.node] = left;
    tree.right[leaf.node] = left + 1;
    // The smaller part is counted; the other one is what remains.
    const leftIsSmaller = middle - leaf.from < leaf.to - middle;
    const small = leftIsSmaller ? measure(left, leaf.from, middle) : measure(left + 1, middle, leaf.to);
    const rest = leaf.histogram.map((sum, at) => sum - (small.histogram[at] ?? 0));
    const large: Leaf = leftIsSmaller
      ? { ...leaf, node: left + 1, from: middle, histogram: rest, gain: 0, feature: -1 }
      : { ...leaf, node: left, to: middle, histogram: rest, gain: 0, feature: -1 };
    open.push(small, ratedLeaf(large, bins, features, options));
  }
  for (const leaf of open) tree.value[leaf.node] = (-leaf.g / (leaf.h + options.ridge)) * options.rate;
  return tree;
}

function fillHistogram(
  histogram: Float64Array,
  offset: number,
  column: Uint8Array,
  part: Int32Array,
  gradient: Float64Array,
  curvature: Float64Array,
): void {
  for (let at = 0; at < part.length; at += 1) {
    const row = part[at] as number;
    const cell = offset + (column[row] as number) * 3;
    histogram[cell] = (histogram[cell] as number) + (gradient[row] as number);
    histogram[cell + 1] = (histogram[cell + 1] as number) + (curvature[row] as number);
    histogram[cell + 2] = (histogram[cell + 2] as number) + 1;
  }
}

/** Finds the best cut of a leaf. */
function ratedLeaf(leaf: Leaf, bins: Bins, features: number[], options: TrainingOptions): Leaf {
  const { histogram } = leaf;
  leaf.g = 0;
  leaf.h = 0;
  for (let bin = 0; bin < binCount; bin += 1) {
    leaf.g += histogram[bin * 3] ?? 0;
    leaf.h += histogram[bin * 3 + 1] ?? 0;
  }
  const base = (leaf.g * leaf.g) / (leaf.h + options.ridge);
  const count = leaf.to - leaf.from;
  features.forEach((feature, nth) => {
    const last = bins.edges[feature]?.length ?? 0;
    let leftG = 0;
    let leftH = 0;
    let leftCount = 0;
    for (let bin = 0; bin < last; bin += 1) {
      const cell = nth * perFeature + bin * 3;
      leftG += histogram[cell] as number;
      leftH += histogram[cell + 1] as number;
      leftCount += histogram[cell + 2] as number;
      if (leftH < options.leafWeight || leftCount < options.leafRows) continue;
      const rightH = leaf.h - leftH;
      if (rightH < options.leafWeight || count - leftCount < options.leafRows) break;
      const rightG = leaf.g - leftG;
      const gain = (leftG * leftG) / (leftH + options.ridge) + (rightG * rightG) / (rightH + options.ridge) - base;
      if (gain > leaf.gain) {
        leaf.gain = gain;
        leaf.feature = feature;
        leaf.bin = bin;
      }
    }
  });
  return leaf;
}

/** Moves the rows up to a bin to the front, keeping their order; returns how many they are. */
function partition(part: Int32Array, column: Uint8Array, bin: number): number {
  const right: number[] = [];
  let left = 0;
  for (const row of part.slice()) {
    if ((column[row] ?? 0) <= bin) part[left++] = row;
    else right.push(row);
  }
  part.set(right, left);
  return left;
}

function getBins(rows: readonly Float32Array[]): Bins {
  const width = rows[0]?.length ?? 0;
  const edges: number[][] = [];
  const columns: Uint8Array[] = [];
  for (let feature = 0; feature < width; feature += 1) {
    const cuts = listCuts(rows, feature);
    edges.push(cuts);
    columns.push(Uint8Array.from(rows, (row) => computeBin(cuts, row[feature] ?? 0)));
  }
  return { edges, columns };
}

function listCuts(rows: readonly Float32Array[], feature: number): number[] {
  const step = Math.max(1, Math.floor(rows.length / 20_000));
  const values: number[] = [];
  for (let row = 0; row < rows.length; row += step) values.push(rows[row]?.[feature] ?? 0);
  values.sort((a, b) => a - b);
  const distinct = [...new Set(values)];
  const after = new Map(distinct.map((value, at) => [value, distinct[at + 1] ?? value]));
  const last = distinct.at(-1) ?? 0;
  const cuts = new Set(distinct.length <= binCount ? distinct : []);
  for (let cut = 1; cut < binCount && distinct.length > binCount; cut += 1) {
    cuts.add(values[Math.floor((cut * values.length) / binCount)] ?? 0);
  }
  cuts.delete(last);
  // Between two numbers that occur, so that rounding the cut moves none over it.
  return [...cuts]
    .sort((a, b) => a - b)
    .map((value) => Number(((value + (after.get(value) ?? value)) / 2).toPrecision(5)));
}

function computeBin(cuts: number[], value: number): number {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= (cuts[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
