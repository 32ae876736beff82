import type { TaskInfo } from '../../embed/task-record.ts'
import type { Paints } from './paint.ts'
import { type Column, drawTable } from './table.ts'
import { countedText, countText, nanosText, printable } from './text.ts'

const COLUMNS: readonly Column[] = [
  { title: 'task' },
  { title: 'action' },
  { title: 'running', align: 'right' },
  { title: 'processor', align: 'right' },
  { title: 'progress' },
  { title: 'description', isFlexible: true },
]

const BAR_WIDTH = 10

/** Tasks as a table, each before its steps, and a line that counts them. */
export function drawTasks(tasks: readonly TaskInfo[], width: number, paint: Paints): string[] {
  const summary = paint.dim(tasks.length === 0 ? 'nothing runs' : countedText(tasks.length, 'task'))
  if (tasks.length === 0) return [summary]
  const rows = withDepths(tasks).map(({ task, depth }) => [
    printable(task.id),
    `${'  '.repeat(depth)}${printable(task.action)}${task.isCancelled ? ' (cancelled)' : ''}`,
    nanosText(task.runningInMillis * 1e6),
    nanosText(task.resources.cpuInNanos),
    progressText(task),
    printable(task.description),
  ])
  return [summary, ...drawTable(COLUMNS, rows, width, paint)]
}

/** How far a task is, where its status counts documents: `███░░░░░░░ 3,000 of 10,000`. */
function progressText({ status }: TaskInfo): string {
  const count = (key: string): number => {
    const value = status?.[key]
    return typeof value === 'number' ? value : 0
  }
  const total = count('total')
  if (total === 0) return ''
  const keys = ['created', 'updated', 'deleted', 'noops', 'version_conflicts']
  const done = Math.min(
    total,
    keys.reduce((sum, key) => sum + count(key), 0),
  )
  const full = Math.floor((BAR_WIDTH * done) / total)
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${countText(done)} of ${countText(total)}`
}

function withDepths(
  tasks: readonly TaskInfo[],
): readonly { readonly task: TaskInfo; readonly depth: number }[] {
  const ids = new Set(tasks.map(({ id }) => id))
  const below = (
    parent: string | null,
    depth: number,
  ): readonly { readonly task: TaskInfo; readonly depth: number }[] =>
    tasks
      .filter(({ parentId }) =>
        parent === null ? parentId === null || !ids.has(parentId) : parentId === parent,
      )
      .flatMap(task => [{ task, depth }, ...below(task.id, depth + 1)])
  return below(null, 0)
}
