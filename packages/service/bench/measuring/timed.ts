/** Does something several times, one after the other. Returns how long each took, in milliseconds. */
export async function timed(times: number, work: (index: number) => Promise<unknown>): Promise<number[]> {
  const values: number[] = [];
  for (let index = 0; index < times; index += 1) {
    const from = performance.now();
    await work(index);
    values.push(performance.now() - from);
  }
  return values;
}
