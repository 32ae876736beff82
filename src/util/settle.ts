/**
 * Waits for all, whatever becomes of each.
 * @throws what the first of them, in order, was rejected with
 */
export async function allSettled(promises: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(promises))
    if (result.status === 'rejected') throw result.reason
}
