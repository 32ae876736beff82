import { afterAll, onTestFinished, TestRunner } from 'vitest'

/**
 * Runs a step once the test that calls this is over, however it ended; called outside of a test, once
 * all tests of its file are. Not for hooks: what a `beforeAll` makes, the file itself must name before.
 */
export function whenOver(step: () => unknown): void {
  const end = async (): Promise<void> => {
    await step()
  }
  if (TestRunner.getCurrentTest() === undefined) afterAll(end)
  else onTestFinished(end)
}
