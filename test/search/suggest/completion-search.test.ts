import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CompletionColumn } from '../../../src/codec/completions/completion-column.ts'
import { CompletionsReader } from '../../../src/codec/completions/reader.ts'
import { writeCompletions } from '../../../src/codec/completions/writer.ts'
import {
  fuzzyPattern,
  prefixPattern,
  regexPattern,
} from '../../../src/engine/suggest/completion-pattern.ts'
import {
  type CompletionQuery,
  searchCompletions,
} from '../../../src/search/suggest/completion-search.ts'
import type { Leaf } from '../../../src/segment/leaf.ts'
import type { BitSet } from '../../../src/util/bit-set.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { Turn } from '../../../src/util/turns.ts'
import { testArena } from '../../support/test-arena.ts'

const arena = testArena(16 << 20)

interface Entry {
  readonly key: string
  readonly weight: number
  readonly contexts: readonly string[]
}

/** Leaves of entries, cut at an index; each entry is a document, its surface form is its key. */
function leavesOf(entries: readonly Entry[], cut: number, hasContexts: boolean): Leaf[] {
  arena.clear()
  const parts = [entries.slice(0, cut), entries.slice(cut)].filter(part => part.length > 0)
  let docBase = 0
  return parts.map(part => {
    const column = new CompletionColumn(hasContexts)
    for (const [doc, { key, weight, contexts }] of part.entries())
      for (const context of hasContexts ? contexts : ['']) {
        const start = hasContexts ? `\u0000${context}\u001d${key}` : key
        const bytes = encodeUtf8(start + key)
        column.push(doc, weight, bytes, 0, encodeUtf8(start).length, bytes.length)
      }
    const reader = new CompletionsReader(arena.section(writeCompletions(column, part.length)))
    const leaf = { docBase, liveDocs: null, completions: () => reader } as unknown as Leaf
    docBase += part.length
    return leaf
  })
}

function run(
  leaves: readonly Leaf[],
  query: CompletionQuery,
  visible: readonly BitSet[] | null = null,
): [string, number][] {
  const search = searchCompletions({ leaves, visible, charge: () => {} }, query, new Turn())
  for (;;) {
    const step = search.next()
    if (step.done === true) return step.value.map(({ surface, score }) => [surface, score])
  }
}

const ALL = { field: 'f', size: 1000, skipsDuplicates: false, contexts: null }
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), minLength: 1, maxLength: 6 })
const entries = fc.array(
  fc.record({
    key: word,
    weight: fc.nat(3),
    contexts: fc.uniqueArray(fc.constantFrom('r', 'red', 'redder', 'blue'), { minLength: 1 }),
  }),
  { minLength: 1, maxLength: 40 },
)
const score = (weight: number, boost: number): number =>
  boost === 0 ? weight : weight === 0 ? boost : weight * boost
const inOrder = (found: [string, number][]): [string, number][] =>
  found.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0))

/** Edits that turn one list into another; with swaps, of neighbours that no other edit touches. */
function edits(a: readonly number[], b: readonly number[], swaps: boolean): number {
  const costs: number[][] = []
  for (let i = 0; i <= a.length; i++) {
    costs.push([])
    for (let j = 0; j <= b.length; j++) {
      let best = i === 0 || j === 0 ? i + j : Number.POSITIVE_INFINITY
      if (i > 0 && j > 0) {
        best = costs[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
        best = Math.min(best, costs[i - 1]![j]! + 1, costs[i]![j - 1]! + 1)
        if (swaps && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
          best = Math.min(best, costs[i - 2]![j - 2]! + 1)
      }
      costs[i]!.push(best)
    }
  }
  return costs[a.length]![b.length]!
}

const unitsOf = (text: string, ofPoints: boolean): number[] =>
  ofPoints ? [...text].map(char => char.codePointAt(0)!) : [...encodeUtf8(text)]

it('finds by a near beginning what looking at every entry finds', () => {
  const options = fc.record({
    edits: fc.constantFrom(0 as const, 1 as const, 2 as const),
    transpositions: fc.boolean(),
    minLength: fc.nat(4),
    prefixLength: fc.nat(3),
    unicodeAware: fc.boolean(),
  })
  fc.assert(
    fc.property(entries, word, options, fc.nat(40), (given, sought, fuzzy, cut) => {
      const { unicodeAware, prefixLength, minLength, transpositions } = fuzzy
      const query = { ...ALL, pattern: fuzzyPattern([sought], fuzzy) }
      const units = unitsOf(sought, unicodeAware)
      const isExact = units.length <= prefixLength || units.length < minLength
      const most = isExact ? 0 : fuzzy.edits
      const wanted = given.flatMap(({ key, weight }): [string, number][] => {
        const own = unitsOf(key, unicodeAware)
        // The shortest beginning that is near enough says how much the entry counts.
        for (let length = 0; length <= own.length; length++) {
          const start = own.slice(0, length)
          const kept = units.slice(0, prefixLength)
          if (!isExact && kept.some((unit, i) => start[i] !== unit)) continue
          const rest = isExact
            ? [units, start]
            : [units.slice(kept.length), start.slice(kept.length)]
          if (edits(rest[0]!, rest[1]!, transpositions) > most) continue
          const bytes = unicodeAware
            ? encodeUtf8(String.fromCodePoint(...start))
            : Uint8Array.from(start)
          let common = 0
          while (common < Math.min(units.length, bytes.length) && units[common] === bytes[common])
            common++
          return [[key, score(weight, common)]]
        }
        return []
      })
      expect(run(leavesOf(given, cut, false), query)).toEqual(inOrder(wanted))
    }),
    { numRuns: 400 },
  )
})

it('finds within contexts what looking at every entry finds', () => {
  const asked = fc.array(
    fc.record({
      value: fc.constantFrom('r', 're', 'red', 'blue', 'b', 'none'),
      isPrefix: fc.boolean(),
      boost: fc.integer({ min: 1, max: 4 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  fc.assert(
    fc.property(entries, word, asked, fc.nat(40), (given, sought, contexts, cut) => {
      const query: CompletionQuery = {
        ...ALL,
        pattern: prefixPattern([sought]),
        contexts: contexts.map(({ value, isPrefix, boost }) => ({
          key: Uint8Array.from([0, ...encodeUtf8(value)]),
          isPrefix,
          boost,
        })),
      }
      const wanted = given.flatMap(({ key, weight, contexts: own }): [string, number][] => {
        if (!key.startsWith(sought)) return []
        const scores = own.flatMap(context => {
          const isAsked = contexts.some(({ value, isPrefix }) =>
            isPrefix ? context.startsWith(value) : context === value,
          )
          if (!isAsked) return []
          const begins = contexts.filter(({ value }) => context.startsWith(value))
          const longest = Math.max(...begins.map(({ value }) => value.length))
          const { boost } = begins.findLast(({ value }) => value.length === longest)!
          return [score(weight, boost)]
        })
        return scores.length === 0 ? [] : [[key, Math.max(...scores)]]
      })
      expect(run(leavesOf(given, cut, true), query)).toEqual(inOrder(wanted))
    }),
    { numRuns: 300 },
  )
})

it.each(['a', 'a.', '(ab|c)+', '[^a]b', 'é', '.{3}', 'b*a', ''])(
  'finds by the expression %j what begins with a match of it',
  regex => {
    const options = {
      operators: {
        intersection: false,
        complement: false,
        empty: false,
        anyString: false,
        interval: false,
      },
      maxStates: 1000,
    }
    fc.assert(
      fc.property(entries, fc.nat(40), (given, cut) => {
        const query = { ...ALL, pattern: regexPattern(regex, options) }
        const begins = new RegExp(`^(?:${regex})`, 'u')
        const wanted = given.flatMap(({ key, weight }): [string, number][] =>
          regex !== '' && begins.test(key) ? [[key, weight]] : [],
        )
        expect(run(leavesOf(given, cut, false), query)).toEqual(inOrder(wanted))
      }),
      { numRuns: 60 },
    )
  },
)
