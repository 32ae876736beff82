import { expect, it } from 'vitest'
import { MergeMemory } from '../../src/indexing/merge-memory.ts'
import { sortSealed } from '../../src/indexing/sort-sealed.ts'
import { parseIndexSort, printIndexSort } from '../../src/schema/index-sort.ts'
import { openSegmentFile } from '../../src/segment/open-segment.ts'
import { decodeUtf8 } from '../../src/util/bytes.ts'
import {
  CREATED,
  directoryOf,
  expectSameBytes,
  type Files,
  filesOf,
  goldenFiles,
  idOf,
  openFiles,
  sealDocuments,
} from '../support/golden-segment.ts'
import { testArena } from '../support/test-arena.ts'

/** A segment of a sorted index as the first version that had such wrote it; it must open for good. */
const FOLDER = 'sorted-v1'
const COUNT = 40
const SORT = [
  { field: 'rank', isDescending: true, mode: 'max', isMissingFirst: true },
  { field: 'name', isDescending: false, mode: 'min', isMissingFirst: false },
] as const
const SORT_TEXT =
  '[{"field":"rank","order":"desc","mode":"max","missing":"_first"},' +
  '{"field":"name","order":"asc","mode":"min","missing":"_last"}]'

const documentOf = (i: number): object => ({
  ...(i % 8 === 0 ? {} : { rank: i % 5 }),
  name: `n${(i * 7) % 10}`,
})

/** Numbers of the documents in the order of the segment. */
const ORDER = Array.from({ length: COUNT }, (_, i) => i).sort((a, b) => {
  const rankOf = (i: number): number => (i % 8 === 0 ? 9 : i % 5)
  return rankOf(b) - rankOf(a) || ((a * 7) % 10) - ((b * 7) % 10) || a - b
})

function build(): Files {
  const properties = { rank: { type: 'integer' }, name: { type: 'keyword' } }
  const marks = { sort: printIndexSort(SORT), segmentId: idOf(11), created: CREATED }
  const { sort, segmentId: id } = marks
  const sealed = sealDocuments({ properties, range: [0, COUNT], documentOf, id, sort })
  return filesOf(sortSealed(sealed, marks, new MergeMemory()))
}

it('opens a sorted segment as the first version wrote it', () => {
  const golden = goldenFiles(FOLDER, build)
  const directory = directoryOf(golden)
  const { file, segment } = openSegmentFile(directory, '_0.seg')
  file.close()
  expect(segment.directory.sort).toBe(SORT_TEXT)
  expect(parseIndexSort(segment.directory.sort)).toEqual(SORT)
  const leaf = openFiles(golden, testArena())
  const ids = ORDER.map((_, doc) => decodeUtf8(leaf.ids().id(doc)))
  expect(ids).toEqual(ORDER.map(i => `id${i}`))
  expectSameBytes(build(), golden)
})

it('finds no sort in segments of before', () => {
  const directory = directoryOf(goldenFiles('v1', null))
  const { file, segment } = openSegmentFile(directory, '_0.seg')
  file.close()
  expect(segment.directory.sort).toBe('')
})
