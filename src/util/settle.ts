/**
 * Waits for all promises, fulfilled or rejected.
 * @throws the first rejection, in order
 */
export async function allSettled(promises: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(promises))
    if (result.status === 'rejected') throw result.reason
}
