/** The terms of a leaf's dictionary that an automaton accepts: by a kernel where it can. */
import type { Leaf } from '../../segment/leaf.ts'
import { countPostings, ordsOf } from '../weight/term-walk.ts'
import { KernelMatching } from './kernel-matching.ts'
import { type TermAutomaton, type TermListener, walkMatching } from './matching-terms.ts'
import { prefixRunOf } from './term-runs.ts'

/**
 * The accepted terms of a leaf as pairs of ords, from and to, ascending and disjoint, with the sum of
 * their document frequencies.
 */
export function matchingRanges(
  leaf: Leaf,
  field: string,
  automaton: TermAutomaton,
): { ranges: Int32Array; postings: number } {
  const kernel = KernelMatching.open(leaf, field, automaton.form, false)
  if (kernel !== null) {
    const parts: Int32Array[] = []
    try {
      const hasAll = kernel.run(part => {
        parts.push(part.slice())
        return true
      })
      if (hasAll) return { ranges: joined(parts), postings: kernel.postings }
    } finally {
      kernel.close()
    }
  }
  const terms = leaf.terms(field)!
  const ranges: number[] = []
  let postings = 0
  walkMatching(terms, automaton, {
    term(_, _state, docFreq, ord) {
      postings += docFreq
      addRange(ranges, ord, ord + 1)
      return true
    },
    prefix(prefix) {
      const run = prefixRunOf(prefix)
      const [from, to] = ordsOf(terms, run)
      if (terms.hasPostings) postings += countPostings(leaf, field, Int32Array.of(from, to))
      addRange(ranges, from, to)
      return run.upper
    },
  })
  return { ranges: Int32Array.from(ranges), postings }
}

/** Tells the accepted terms of a leaf, in ascending order. */
export function tellMatching(
  leaf: Leaf,
  field: string,
  automaton: TermAutomaton,
  listener: TermListener,
): void {
  const terms = leaf.terms(field)
  if (terms === null) return
  const kernel = KernelMatching.open(leaf, field, automaton.form, true)
  let told = 0
  if (kernel !== null) {
    try {
      const hasAll = kernel.tell((term, docFreq, edits) => {
        told++
        return listener(term, docFreq, edits)
      })
      if (hasAll) return
    } finally {
      kernel.close()
    }
  }
  let passed = 0
  walkMatching(terms, automaton, {
    prefix: null,
    // The kernel gave up behind those that it told.
    term: (term, state, docFreq) =>
      passed++ < told || listener(term, docFreq, automaton.editsOf(state)),
  })
}

function addRange(ranges: number[], from: number, to: number): void {
  if (from >= to) return
  if (ranges.length > 0 && ranges.at(-1) === from) ranges[ranges.length - 1] = to
  else ranges.push(from, to)
}

/** The ranges of several outputs of the kernel; the last of one may go on in the next. */
function joined(parts: readonly Int32Array[]): Int32Array {
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only
  const ranges: number[] = []
  for (const part of parts)
    for (let i = 0; i < part.length; i += 2) addRange(ranges, part[i]!, part[i + 1]!)
  return Int32Array.from(ranges)
}
