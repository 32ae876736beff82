/** The record of a graph that kernels read (`kernels/assembly/graph-record.ts`), in words. */
import type { VectorElement, VectorSpace } from '../../schema/knn-vector/vector-space.ts'
import type { ArenaViews } from '../../store/arena.ts'
import type { ComparedParts } from './format.ts'
import type { PlacedLevel } from './reader.ts'

/** Bytes of the record, and of a level behind it. */
export const GRAPH_RECORD_BYTES = 128
export const RECORD_LEVEL_BYTES = 32
/** Bytes of an entry of a heap. */
export const ENTRY_BYTES = 8

/**
 * Words of the record that callers write and read: the query's row, step and square; bits of the documents that
 * may be found and the documents of vectors; what was compared; where candidates are sorted, where chosen, and m.
 */
export const QUERY_WORD = 10
export const ACCEPTED_WORD = 18
export const COMPARED_WORD = 20
export const SORTED_WORD = 21
const FRESH_WORD = 24
/** Of bytes and codes: the query's row with two bytes for each component. */
export const WIDE_WORD = 28
const SQUARE_STRIDE_WORD = 29
const LAST_ROWS_WORD = 30
/** The bits of whole documents, the table of groups and its number of slots less 1; 0: there are no groups. */
export const GROUPS_WORD = 25
/** Bytes of an entry of the nearest groups, and of a slot of their table. */
export const GROUP_ENTRY_BYTES = 16
const SLOT_BYTES = 8

/** Rows that are compared; addresses are bytes in the kernels' memory. */
export interface GraphRows {
  readonly element: VectorElement
  readonly compared: ComparedParts
  readonly space: VectorSpace
  readonly rows: number
  readonly rowBytes: number
  /** The rest of each row, where rows lie in two parts; of 0 bytes where they do not. */
  readonly lastRows: number
  readonly lastBytes: number
  /** 0: there are none; and bytes from one to the next. */
  readonly squares: number
  readonly squareStride: number
  /** Address of the first step, 4 bytes of any 1 where bytes are the components. */
  readonly steps: number
  /** Bytes from one step to the next; 0: all have one. */
  readonly stepStride: number
}

/** Room of a walk. */
export interface WalkRoom {
  /** Bits for each node of the lowest level, in whole words. */
  readonly seen: number
  readonly open: number
  /** Entries. */
  readonly openRoom: number
  readonly found: number
  readonly ef: number
  /** `freshBytes`. */
  readonly fresh: number
}

/** Open nodes for which a walk has room: it is given up where there are more. */
export function openRoomOf(ef: number, count: number): number {
  return Math.min(count, 32 * ef + 1024)
}

/** Slots of the table of so many groups: a power of 2, at least twice as many. */
export function slotsOf(groups: number): number {
  return 2 ** Math.ceil(Math.log2(2 * groups + 1))
}

/** Bytes of that table. */
export function slotBytes(groups: number): number {
  return SLOT_BYTES * slotsOf(groups)
}

/** Bytes of the bits of what a walk has seen. */
export function seenBytes(count: number): number {
  return 4 * Math.ceil(count / 32)
}

/** Bytes of the neighbours that are compared and of their distances, four of which are written at once. */
export function freshBytes(width: number): number {
  return 8 * width + 16
}

/** Writes a record; what queries and builds add to it is 0. */
export function writeGraphRecord(
  { i32 }: ArenaViews,
  at: number,
  given: GraphRows,
  levels: readonly (PlacedLevel & { readonly lengths?: number })[],
  entry: number,
  { seen, open, openRoom, found, ef, fresh }: WalkRoom,
): void {
  const { element, compared, space, rows, rowBytes, squares, steps, stepStride } = given
  const kind = element === 'binary' ? 2 : compared === 'floats' ? 1 : 0
  const way = space === 'cosinesimil' ? 1 : space === 'innerproduct' ? 2 : 0
  const table = at + GRAPH_RECORD_BYTES
  const word = at >> 2
  i32.fill(0, word, word + GRAPH_RECORD_BYTES / 4)
  i32.set([kind, way, rows, rowBytes, squares, steps, stepStride, table], word)
  i32.set([levels.length - 1, entry], word + 8)
  i32.set([seen, open, openRoom, found, ef], word + 13)
  i32[word + FRESH_WORD] = fresh
  i32[word + SQUARE_STRIDE_WORD] = given.squareStride
  i32.set([given.lastRows, given.lastBytes], word + LAST_ROWS_WORD)
  for (const [i, level] of levels.entries())
    i32.set(
      [level.nodes, level.ords, level.below, level.links, level.width, level.lengths ?? 0, 0, 0],
      (table + i * RECORD_LEVEL_BYTES) >> 2,
    )
}
