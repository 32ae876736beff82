import { compareBytes } from '../../util/bytes.ts'
import { patternAutomaton } from './pattern-automaton.ts'
import { isTermOfPartition, type ValueFilter, type ValueSet } from './value-filter.ts'

/** Tells which terms have buckets. */
export function termFilter({
  include,
  exclude,
  partition,
}: ValueFilter): (term: Uint8Array) => boolean {
  const isIncluded = include === null ? () => true : testOf(include)
  const isExcluded = exclude === null ? () => false : testOf(exclude)
  return term =>
    isIncluded(term) &&
    !isExcluded(term) &&
    (partition === null || isTermOfPartition(term, partition))
}

function testOf(set: ValueSet): (term: Uint8Array) => boolean {
  switch (set.kind) {
    case 'pattern':
      return patternAutomaton(set.pattern)
    case 'numbers':
      return () => false
    case 'terms': {
      const sorted = [...set.terms].sort(compareBytes)
      return term => {
        let from = 0
        let to = sorted.length
        while (from < to) {
          const middle = (from + to) >>> 1
          if (compareBytes(sorted[middle]!, term) < 0) from = middle + 1
          else to = middle
        }
        return from < sorted.length && compareBytes(sorted[from]!, term) === 0
      }
    }
  }
}
