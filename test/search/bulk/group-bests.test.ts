import { describe, expect, it } from 'vitest'
import { GroupBests } from '../../../src/search/bulk/group-bests.ts'
import type { Leaf } from '../../../src/segment/leaf.ts'
import { Random } from '../../../src/util/random.ts'
import { postingsLeaf } from '../../support/postings-leaf.ts'
import { checkedArena, type TestArena, testArena } from '../../support/test-arena.ts'

const DOCS = 20_000
const BUILDS: readonly [string, TestArena][] = [
  ['kernels', testArena(16 << 20)],
  ['kernels of the debug build', checkedArena(16 << 20, true)],
]

/** Values by document, and whether each has one. */
const COLUMNS: Record<string, (random: Random, doc: number) => bigint | null> = {
  'a few groups': random => BigInt(random.below(12)),
  'one group': () => 5n,
  'groups that some lack': random => (random.below(4) === 0 ? null : BigInt(random.below(40))),
  'more groups than places': random => BigInt(random.below(3000)) * 977n,
  'groups of extreme numbers': random => EXTREMES[random.below(EXTREMES.length)]!,
  'groups of neighbours': (_, doc) => BigInt(doc >> 6),
}
const EXTREMES = [-(2n ** 63n), 2n ** 63n - 1n, -1n, 0n, 1n, null]

interface Match {
  readonly doc: number
  readonly score: number
}

describe.each(BUILDS)('the bests of groups with the %s', (_, arena) => {
  it.each(Object.keys(COLUMNS))('leave of %s each match that is better than those before', name => {
    const random = new Random(11)
    const column = COLUMNS[name]!
    const values = Array.from({ length: DOCS }, (_, doc) => column(random, doc))
    const leaf = leafOf(arena, values)
    const bests = GroupBests.of(leaf, { kind: 'number', field: 'num' })!
    const best = new Map<bigint | null, number>()
    let dropped = 0
    for (const matches of randomLists(random)) {
      const kept = keep(leaf, bests, matches)
      // What is left stands in order and is what it was.
      expect(matches.filter(match => kept.some(({ doc }) => doc === match.doc))).toEqual(kept)
      const left = new Set(kept.map(({ doc }) => doc))
      for (const { doc, score } of matches) {
        const known = best.get(values[doc]!) ?? -1
        if (score > known) {
          expect(left.has(doc)).toBe(true)
          best.set(values[doc]!, score)
        } else if (!left.has(doc)) dropped++
      }
    }
    expect(dropped).toBeGreaterThan(name === 'more groups than places' ? 500 : 5000)
  })

  it('are not looked for in a column that a document has several values of', () => {
    const leaf = leafOf(arena, [1n, 2n])
    const many = Object.create(leaf, {
      fieldInfo: { value: () => ({ multiValued: true }) },
    }) as Leaf
    expect(GroupBests.of(many, { kind: 'number', field: 'num' })).toBeNull()
  })

  it('take a field without values as one group', () => {
    const leaf = leafOf(arena, [1n, 2n, 3n])
    const bests = GroupBests.of(leaf, { kind: 'keyword', field: 'absent' })!
    const matches = [0.5, 0.5, 0.75].map((score, doc) => ({ doc, score }))
    expect(keep(leaf, bests, matches)).toEqual([matches[0], matches[2]])
  })
})

/** Ascending lists of some documents each, with scores of which many are equal. */
function* randomLists(random: Random): Generator<Match[]> {
  for (let doc = 0; doc < DOCS; ) {
    const matches: Match[] = []
    const size = 1 + random.below(64)
    for (; doc < DOCS && matches.length < size; doc += 1 + random.below(2))
      matches.push({ doc, score: random.below(30) / 4 })
    yield matches
  }
}

function keep(leaf: Leaf, bests: GroupBests, matches: readonly Match[]): Match[] {
  const { scratch, views } = leaf
  const mark = scratch.mark()
  const docs = scratch.allocate(4 * matches.length)
  const scores = scratch.allocate(4 * matches.length)
  for (const [i, { doc, score }] of matches.entries()) {
    views.i32[(docs >> 2) + i] = doc
    views.f32[(scores >> 2) + i] = score
  }
  const count = bests.keep(docs, scores, matches.length)
  const kept = Array.from({ length: count }, (_, i) => ({
    doc: views.i32[(docs >> 2) + i]!,
    score: views.f32[(scores >> 2) + i]!,
  }))
  scratch.release(mark)
  return kept
}

function leafOf(arena: TestArena, values: readonly (bigint | null)[]): Leaf {
  arena.clear()
  arena.scratch.reset()
  const docs = Int32Array.from([...values.keys()].filter(doc => values[doc] !== null))
  const numbers = { name: 'num', docs, values: values.filter(value => value !== null) }
  const place = { uid: 1, ord: 0, docBase: 0 }
  return postingsLeaf(arena, [], values.length, null, place, numbers)
}
