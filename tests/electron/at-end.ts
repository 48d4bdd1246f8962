/** What is to be done once all tests of a file have run. */
const waiting: (() => Promise<unknown>)[] = []

export function atEnd(act: () => Promise<unknown>): void {
  waiting.push(act)
}

export async function end(): Promise<void> {
  await Promise.allSettled(waiting.splice(0).map((act) => act()))
}
