/** A profile's tree of queries, or of collectors, as a table. */
import type { CollectorProfile, QueryProfile } from '../../embed/profile-report.ts'
import type { Paints } from './paint.ts'
import { type Column, drawTable } from './table.ts'
import { countText, nanosText, printable } from './text.ts'

const QUERY_COLUMNS: readonly Column[] = [
  { title: 'query', isFlexible: true },
  { title: 'time', align: 'right' },
  { title: 'average slice', align: 'right' },
  { title: 'slowest', align: 'right' },
  { title: 'most time in' },
]

const COLLECTOR_COLUMNS: readonly Column[] = [
  { title: 'collector', isFlexible: true },
  { title: 'time', align: 'right' },
  { title: 'slowest slice', align: 'right' },
  { title: 'reduce', align: 'right' },
]

const NONE = '–'
/** Keys of a breakdown that are not a method's own time; no method's name starts so. */
const DERIVED = /^(max|min|avg)_|_count$/
/** From this width on, two methods are named beside each node instead of one. */
const WIDE = 130

/** The queries of a shard, indented by depth. Methods of a sliced search are averages of its slices. */
export function drawQueries(
  queries: readonly QueryProfile[],
  width: number,
  paint: Paints,
): string[] {
  const rows = queries.flatMap(root =>
    treeOf(root).map(([branch, query]) => [
      `${branch}${query.type} ${printable(query.description)}`,
      nanosText(query.timeInNanos),
      query.sliceTimes === null ? NONE : nanosText(query.sliceTimes.avgInNanos),
      query.sliceTimes === null ? NONE : nanosText(query.sliceTimes.maxInNanos),
      costliest(query, width >= WIDE ? 2 : 1),
    ]),
  )
  return drawTable(QUERY_COLUMNS, rows, width, paint)
}

/** The collectors of a shard, outermost first. */
export function drawCollectors(
  collectors: readonly CollectorProfile[],
  width: number,
  paint: Paints,
): string[] {
  const rows = collectors.flatMap(root =>
    treeOf(root).map(([branch, collector]) => [
      `${branch}${collector.name} (${collector.reason})`,
      nanosText(collector.timeInNanos),
      collector.sliceTimes === null ? NONE : nanosText(collector.sliceTimes.maxInNanos),
      collector.reduceTimeInNanos === null ? NONE : nanosText(collector.reduceTimeInNanos),
    ]),
  )
  return drawTable(COLLECTOR_COLUMNS, rows, width, paint)
}

interface TreeNode<Node> {
  readonly children: readonly Node[]
}

/**
 * A node and all below it, outermost first, each behind the branches that lead to it.
 * @param branch what stands before the node itself
 * @param trunk  what stands before the branches of its children
 */
// Recursion is as deep as the query, whose depth the parser has bounded.
function treeOf<Node extends TreeNode<Node>>(
  node: Node,
  branch = '',
  trunk = '',
): (readonly [branch: string, node: Node])[] {
  const below = node.children.flatMap((child, i) =>
    i < node.children.length - 1
      ? treeOf(child, `${trunk}├ `, `${trunk}│ `)
      : treeOf(child, `${trunk}└ `, `${trunk}  `),
  )
  return [[branch, node], ...below]
}

/** The methods that took most, with their calls: `next_doc 1.20 ms (9,112×)`. */
function costliest({ breakdown, sliceTimes }: QueryProfile, count: number): string {
  // Over slices, a method's plain time is a span from the first start to the last end.
  const prefix = sliceTimes === null ? '' : 'avg_'
  const timeOrCount = (name: string): number => breakdown[prefix + name] ?? breakdown[name] ?? 0
  return Object.keys(breakdown)
    .filter(name => !DERIVED.test(name) && timeOrCount(name) > 0)
    .sort((a, b) => timeOrCount(b) - timeOrCount(a))
    .slice(0, count)
    .map(
      name =>
        `${name} ${nanosText(timeOrCount(name))} (${countText(timeOrCount(`${name}_count`))}×)`,
    )
    .join(', ')
}
