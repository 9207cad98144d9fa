import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** Value of a gauge or counter when the metrics are asked for: one value, or one for each value of its label. */
export type MetricReading = number | ReadonlyMap<string, number>;

/** Registers the metrics of one service; names that are its own begin with `cloud_browser_`. */
export class MetricRegistry {
  readonly #registry = new Registry();

  /** Content type of {@link writeText}. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The value of every metric now, in the text format of Prometheus. */
  writeText(): Promise<string> {
    return this.#registry.metrics();
  }

  /**
   * Adds a counter.
   *
   * @param read - Returns its total when the metrics are asked for, which never falls. Default: it is counted by `inc`.
   */
  addCounter(name: string, help: string, labelNames: readonly string[] = [], read?: () => number): Counter {
    let lastCount = 0;
    const collect =
      read &&
      (() => {
        const now = Math.max(lastCount, read());
        counter.inc(now - lastCount);
        lastCount = now;
      });
    const counter = new Counter({
      name: addPrefix(name),
      help,
      labelNames,
      registers: [this.#registry],
      ...(collect && { collect }),
    });
    return counter;
  }

  /**
   * Adds a gauge.
   *
   * @param read - Returns its value when the metrics are asked for. Default: it is set.
   * @param label - Name of the label by which a reading has several values. Default: none.
   */
  addGauge(name: string, help: string, read?: () => MetricReading | Promise<MetricReading>, label?: string): Gauge {
    const collect =
      read &&
      (async (): Promise<void> => {
        const value = await read();
        if (typeof value === "number") return gauge.set(value);
        // A key without sessions is not shown with those that it had.
        gauge.reset();
        for (const [of, count] of value) gauge.set({ [label ?? ""]: of }, count);
      });
    const gauge = new Gauge({
      name: addPrefix(name),
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [this.#registry],
      ...(collect && { collect }),
    });
    return gauge;
  }

  /** Adds a gauge that is always 1, and says what its labels say. */
  addInfo(name: string, help: string, labels: Readonly<Record<string, string>>): void {
    const registers = [this.#registry];
    new Gauge({ name: addPrefix(name), help, labelNames: Object.keys(labels), registers }).set({ ...labels }, 1);
  }

  /** Adds a histogram of times in seconds. */
  addHistogram<Label extends string>(
    name: string,
    help: string,
    buckets: readonly number[],
    labelNames: readonly Label[],
  ): Histogram<Label> {
    return new Histogram({
      name: addPrefix(name),
      help,
      labelNames,
      buckets: [...buckets],
      registers: [this.#registry],
    });
  }
}

/** Metrics of a process, and of its Node.js, have the names that Prometheus knows. */
const addPrefix = (name: string): string => (/^(?:process|nodejs)_/.test(name) ? name : `cloud_browser_${name}`);
