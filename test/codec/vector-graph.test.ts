import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_NEIGHBOUR } from '../../src/codec/vector-graph/format.ts'
import type { GraphLevel, GraphLevels } from '../../src/codec/vector-graph/graph-levels.ts'
import { VectorGraphReader } from '../../src/codec/vector-graph/reader.ts'
import { writeVectorGraph } from '../../src/codec/vector-graph/writer.ts'
import { CorruptSegmentError } from '../../src/util/errors.ts'
import { Random } from '../../src/util/random.ts'
import { testArena } from '../support/test-arena.ts'

const arena = testArena(8 << 20)

/** A graph of random links, each level of which has some nodes of the one below. */
function randomGraph(count: number, m: number, levelCount: number, seed: number): GraphLevels {
  const random = new Random(seed)
  const levels: GraphLevel[] = []
  let ords = Uint32Array.from({ length: count }, (_, ord) => ord)
  for (let number = 0; number < levelCount; number++) {
    const width = number === 0 ? 2 * m : m
    const kept = [...ords.keys()].filter(rank => number === 0 || rank === 0 || random.below(2) > 0)
    const below = Uint32Array.from(kept)
    const own = Uint32Array.from(kept, rank => ords[rank]!)
    const links = new Uint32Array(own.length * width).fill(NO_NEIGHBOUR)
    for (let rank = 0; rank < own.length; rank++) {
      const degree = own.length === 1 ? 0 : random.below(width + 1)
      for (let i = 0; i < degree; i++)
        links[rank * width + i] = (rank + 1 + random.below(own.length - 1)) % own.length
    }
    levels.push(number === 0 ? { ords: null, below: null, links } : { ords: own, below, links })
    ords = own
  }
  const entry = random.below(ords.length)
  return { count, compared: 'floats', space: 'innerproduct', m, seed, entry, levels }
}

function readerOf(bytes: Uint8Array): VectorGraphReader {
  arena.clear()
  return new VectorGraphReader(arena.section(bytes))
}

describe('a graph of vectors', () => {
  it('comes back as it was written, its rows aligned', () => {
    const shapes = fc.tuple(
      fc.constantFrom(1, 2, 31, 32, 33, 200),
      fc.constantFrom(1, 2, 16, 33),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 2 ** 31 }),
    )
    fc.assert(
      fc.property(shapes, ([count, m, levelCount, seed]) => {
        const graph = randomGraph(count, m, levelCount, seed)
        const reader = readerOf(writeVectorGraph(graph))
        const { compared, space, entry } = reader
        expect([reader.count, compared, space, reader.m, entry]).toEqual([
          count,
          'floats',
          'innerproduct',
          m,
          graph.entry,
        ])
        expect(reader.levels.length).toBe(levelCount)
        for (const [number, { ords, below, links }] of graph.levels.entries()) {
          const { nodes, width } = reader.levels[number]!
          expect(reader.levels[number]!.links % 64).toBe(0)
          expect(nodes).toBe(ords?.length ?? count)
          for (let rank = 0; rank < nodes; rank++) {
            const row = [...links.subarray(rank * width, (rank + 1) * width)]
            expect([...reader.neighbours(number, rank)]).toEqual(
              row.filter(each => each !== NO_NEIGHBOUR),
            )
            expect(reader.ordOf(number, rank)).toBe(ords === null ? rank : ords[rank])
            if (below !== null) expect(reader.belowOf(number, rank)).toBe(below[rank])
          }
        }
        reader.verify()
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['another version', 0, 2],
    ['no vectors', 1, 0],
    ['unknown components', 2, 2],
    ['an unknown space', 3, 99],
    ['rows without room', 4, 0],
    ['wider rows than there are', 4, 4000],
    ['no levels', 5, 0],
    ['more levels than the table has', 5, 1000],
    ['an entry that there is not', 6, 1000],
    ['a table elsewhere', 8, 128],
    ['an end behind its own', 9, 1 << 30],
    ['another number of nodes', 16, 99],
    ['links that are not aligned', 19, 132],
    ['links behind the end', 19, 1 << 20],
    ['ords behind the end', 21, 1 << 20],
    ['ranks behind the end', 22, 1 << 20],
  ])('is refused with %s', (_words, word, value) => {
    const bytes = writeVectorGraph(randomGraph(100, 8, 2, 5))
    new DataView(bytes.buffer).setUint32(4 * word, value, true)
    expect(() => readerOf(bytes)).toThrow(CorruptSegmentError)
  })

  it('is refused when all of it is read and a neighbour or a node is none of its own', () => {
    const whole = writeVectorGraph(randomGraph(100, 8, 2, 5))
    const { levels, section } = readerOf(whole)
    for (const address of [levels[0]!.links, levels[1]!.links, levels[1]!.ords, levels[1]!.below]) {
      const bytes = whole.slice()
      new DataView(bytes.buffer).setUint32(address - section.start, 100, true)
      expect(() => readerOf(bytes).verify()).toThrow(/a node of level/)
    }
  })
})
