import { describe, expect, it } from 'vitest'
import { mergeSegments } from '../../src/indexing/merge.ts'
import type { Leaf } from '../../src/segment/leaf.ts'
import { BitSet } from '../../src/util/bit-set.ts'
import { decodeUtf8 } from '../../src/util/bytes.ts'
import {
  expectSameBytes,
  type Files,
  filesOf,
  goldenFiles,
  idOf,
  openFiles,
  sealDocuments,
  storedOf,
} from '../support/golden-segment.ts'
import { testArena } from '../support/test-arena.ts'

/** A segment of completions: stays here for good and must open. */
const FOLDER = 'completions-v1'
const COUNT = 120
const ID = idOf(7)
const MAPPING = {
  properties: {
    title: { type: 'completion' },
    shop: {
      type: 'completion',
      contexts: [
        { name: 'kind', type: 'category', path: 'kind' },
        { name: 'place', type: 'geo', precision: 4 },
      ],
    },
    kind: { type: 'keyword' },
  },
}

const titleOf = (i: number): string => `${['The Sea', 'Sea Wolf', 'moby', 'été'][i % 4]} ${i % 6}`
const KINDS = ['cafe', 'bar']

function documentOf(i: number): object {
  return {
    title: { input: [titleOf(i), `alias ${i % 9}`], weight: i % 50 },
    kind: KINDS[i % 2],
    ...(i % 3 === 0
      ? { shop: { input: `Shop ${i}`, contexts: { place: { lat: i / 4, lon: -i } } } }
      : {}),
  }
}

/** @param dead numbers of documents that are superseded */
function build(
  from: number,
  to: number,
  dead: readonly number[] = [],
  properties: object = MAPPING.properties,
): Files {
  return filesOf(sealDocuments({ properties, range: [from, to], documentOf, dead, id: ID }))
}

const arena = testArena()
const open = (files: Files): Leaf => openFiles(files, arena)
const golden = (): Files => goldenFiles(FOLDER, () => build(0, COUNT))

/** Every entry of a field, with the number of its document. */
function entriesOf(leaf: Leaf, field: string): string[] {
  const reader = leaf.completions(field)!
  const seqNos = leaf.numericValues('_seq_no')!
  const cursor = reader.cursor()
  return Array.from({ length: reader.count }, (_, entry) => {
    cursor.moveTo(entry)
    seqNos.advanceExact(cursor.doc)
    const key = decodeUtf8(cursor.key.subarray(0, cursor.keyLength))
    return `${key}|${cursor.weight}|${seqNos.lo()}|${decodeUtf8(cursor.surface())}`
  }).sort()
}

function wanted(field: 'title' | 'shop', numbers: readonly number[]): string[] {
  const keyOf = (text: string): string =>
    text
      .toLowerCase()
      .match(/\p{L}+/gu)!
      .join('\u001f')
  const found = numbers.flatMap(i => {
    if (field === 'title')
      return [titleOf(i), `alias ${i % 9}`].map(text => `${keyOf(text)}|${i % 50}|${i}|${text}`)
    return i % 3 === 0 ? [`\u0000${KINDS[i % 2]}\u001dshop|1|${i}|Shop ${i}`] : []
  })
  return found.sort()
}

/** Contexts of places apart, which another test knows. */
const withoutPlaces = (entries: readonly string[]): string[] =>
  entries.filter(entry => !entry.startsWith('\u0001'))

function check(leaf: Leaf, numbers: readonly number[]): void {
  expect(entriesOf(leaf, 'title')).toEqual(wanted('title', numbers))
  const shops = entriesOf(leaf, 'shop')
  expect(withoutPlaces(shops)).toEqual(wanted('shop', numbers))
  expect(shops).toHaveLength(2 * withoutPlaces(shops).length)
  expect(leaf.terms('title')).toBeNull()
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, i) => from + i)

describe('the golden segment of completions', () => {
  it('is what this build writes: another byte is another version of the format', () => {
    expectSameBytes(build(0, COUNT), golden())
  })

  it('opens, and holds what was written', () => check(open(golden()), range(0, COUNT)))

  it('leaves out documents that were superseded before it was sealed', () =>
    check(
      open(build(0, COUNT, [3, 4, 99])),
      range(0, COUNT).filter(i => ![3, 4, 99].includes(i)),
    ))

  it('is merged by the documents that are kept', () => {
    arena.clear()
    const inputs = [build(0, 50), build(50, COUNT)].map((files, part) => {
      const leaf = open(files)
      const live = new BitSet(leaf.maxDoc)
      for (let doc = 0; doc < leaf.maxDoc; doc++) if (doc % 5 !== part) live.add(doc)
      return { leaf, stored: storedOf(files), live }
    })
    const merged = mergeSegments(inputs, ID, 0)
    const leaf = open(filesOf(merged))
    check(
      leaf,
      range(0, COUNT).filter(i => i % 5 !== (i < 50 ? 0 : 1)),
    )
  })

  it.each([0, 1])('takes the place of terms that old segments have instead', old => {
    arena.clear()
    const asTerms = { title: { type: 'flat_object' }, shop: { type: 'flat_object' } }
    const inputs = [0, 1].map(part => {
      const files =
        part === old ? build(0, 9, [], { ...asTerms, kind: { type: 'keyword' } }) : build(9, 60)
      return { leaf: open(files), stored: storedOf(files), live: null }
    })
    expect(inputs[old]!.leaf.terms('title')).not.toBeNull()
    const merged = mergeSegments(inputs, ID, 0)
    check(open(filesOf(merged)), range(9, 60))
  })
})
