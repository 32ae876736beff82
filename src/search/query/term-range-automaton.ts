import { DEAD, START } from '../../util/automaton/automaton.ts'
import type { TermAutomaton } from './matching-terms.ts'
import type { TermRangeQuery } from './query.ts'

const MAX_POINT = 0x10ffff
/** A term that has left the prefixes of an end, to its right side. */
const PAST = -1

/** How far a term is a prefix of each end; `PAST` where it stands clear of it, or there is no end. */
interface Place {
  readonly low: number
  readonly high: number
}

/**
 * The terms between two ends, by code points, whose order is that of bytes. A state is how many code points
 * of a term are those of each end: no more states than the ends have code points.
 */
export function termRangeAutomaton(
  query: Pick<TermRangeQuery, 'lower' | 'upper' | 'includeLower' | 'includeUpper'>,
): TermAutomaton {
  const lower = pointsOf(query.lower)
  const upper = pointsOf(query.upper)
  const places: Place[] = []
  const states = new Map<string, number>()
  const stateOf = (low: number, high: number): number => {
    const key = `${low}/${high}`
    const known = states.get(key)
    if (known !== undefined) return known
    const state = START + places.push({ low, high }) - 1
    states.set(key, state)
    return state
  }
  stateOf(lower === null ? PAST : 0, upper === null ? PAST : 0)
  const placeOf = (state: number): Place => places[state - START]!
  return {
    step(state, point) {
      if (state === DEAD) return DEAD
      let { low, high } = placeOf(state)
      if (low !== PAST) {
        const bound = lower![low]
        if (bound === undefined || point > bound) low = PAST
        else if (point < bound) return DEAD
        else low++
      }
      if (high !== PAST) {
        const bound = upper![high]
        if (bound === undefined || point > bound) return DEAD
        high = point < bound ? PAST : high + 1
      }
      return stateOf(low, high)
    },
    nextPoint(state, from) {
      if (state === DEAD) return -1
      const { low, high } = placeOf(state)
      const least = low === PAST ? from : Math.max(from, lower![low] ?? 0)
      const most = high === PAST ? MAX_POINT : (upper![high] ?? -1)
      return least <= most ? least : -1
    },
    accepts(state) {
      if (state === DEAD) return false
      const { low, high } = placeOf(state)
      const isAbove = low === PAST || (low === lower!.length && query.includeLower)
      return isAbove && (high === PAST || high < upper!.length || query.includeUpper)
    },
    editsOf: () => 0,
    form: null,
    isTotal(state) {
      if (state === DEAD) return false
      const { low, high } = placeOf(state)
      return low === PAST && high === PAST
    },
  }
}

function pointsOf(end: string | null): readonly number[] | null {
  return end === null ? null : [...end].map(char => char.codePointAt(0)!)
}
