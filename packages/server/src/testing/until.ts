/** Waits for a condition; fails with the sentence when it does not come true in time. */
export async function until(what: string, condition: () => unknown, withinMs = 10_000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
