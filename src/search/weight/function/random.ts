import type { Leaf } from '../../../segment/leaf.ts'
import { murmur3 } from '../../../util/murmur3.ts'
import { step } from '../explanation.ts'
import { nameAmong } from './named.ts'
import type { RandomFunction } from './score-function.ts'
import type { ScoreFunctionType } from './score-function-type.ts'

/** A number in [0, 1) by seed and the document, or a value of it. */
export const randomFunction: ScoreFunctionType<RandomFunction> = {
  text: of => describe(of, null),
  sections({ source }) {
    switch (source.kind) {
      case 'documents':
        return []
      case 'ids':
        return [['', 'ids']]
      case 'numbers':
        return [[source.field, 'numericValues']]
      case 'terms':
        return [
          [source.field, 'ordinals'],
          [source.field, 'terms'],
        ]
    }
  },
  open(of, leaf) {
    const hash = hasher(of, leaf)
    // A number of 24 bits is exact as a float.
    const score = (docId: number): number => (hash(docId) & 0xffffff) / (1 << 24)
    return {
      score,
      maxScore: 1,
      explain: (docId, _query, name) => step(score(docId), describe(of, name)),
    }
  },
}

function describe({ seed, source }: RandomFunction, name: string | null): string {
  const field = source.kind === 'documents' ? 'null' : source.field
  return `random score function (seed: ${seed}, field: ${field}${nameAmong(name)})`
}

function hasher({ seed, salt, source }: RandomFunction, leaf: Leaf): (docId: number) => number {
  const salted = mixed(seed ^ salt)
  switch (source.kind) {
    case 'documents':
      return docId => mixed((leaf.docBase + docId) ^ salted)
    case 'ids': {
      const ids = leaf.ids()
      return docId => murmur3(ids.id(docId), salted)
    }
    case 'numbers': {
      const values = leaf.numericValues(source.field)
      return docId =>
        values?.advanceExact(docId) === true
          ? mixed(mixed(values.lo() ^ salted) ^ values.hi())
          : salted
    }
    case 'terms': {
      const ordinals = leaf.ordinals(source.field)
      const terms = leaf.terms(source.field)?.iterator() ?? null
      return docId => {
        if (terms === null || ordinals?.advanceExact(docId) !== true) return salted
        terms.seekOrd(ordinals.ord(0))
        return murmur3(terms.term(), salted)
      }
    }
  }
}

/** MurmurHash3's finalizer. */
function mixed(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
