/** The system index of the results of tasks. */
export const TASKS_INDEX = '.tasks'

/**
 * The number before that of a node's first task. Numbers begin at 1 with every start of a node; once there are
 * results of an earlier one, they begin where its tasks cannot have come.
 */
export function firstTaskNumber(hasResults: boolean): number {
  return hasResults ? 100 * Date.now() : 0
}
