/** The documents that a join finds in one shard, from the matches of its query. */

import type { MatchRun } from '../../search/collector/listed-matches.ts'
import type { JoinQuery, JoinScoreMode } from '../../search/query/query.ts'
import type { JoinedDocs } from '../../search/weight/weight-node.ts'
import type { Pins } from '../../segment/pins.ts'
import type { Turn } from '../../util/turns.ts'
import { TiedDocs, type TiedPlace } from '../fetch/tied-docs.ts'

/** Work of one look-up by an id, in units of about a microsecond. */
const UNITS_PER_LOOK_UP = 4

/** Ids that are not looked up yet, in a table of documents by ord. */
const UNKNOWN = -2

/**
 * Finds the documents that are tied to matches. Scores are combined in order of the matches, in float32,
 * as Lucene does, so that they do not depend on slices.
 * @param place whose snapshot is held
 * @param pins  owned by the caller
 * @param runs  the matches of the join's query in that snapshot, in order
 */
export function* joinedDocs(
  place: TiedPlace,
  pins: Pins,
  join: JoinQuery,
  runs: readonly MatchRun[],
  turn: Turn,
): Generator<void, readonly JoinedDocs[], void> {
  const tied = new TiedDocs(place, pins, join)
  const targets = new Targets(join)
  const docBases = place.snapshot.leaves.map(({ docBase }) => docBase)
  if (join.finds === 'parents') yield* findParents(tied, docBases, runs, targets, turn)
  else yield* findChildren(tied, docBases, runs, targets, turn)
  return targets.byLeaf(docBases)
}

function* findParents(
  tied: TiedDocs,
  docBases: readonly number[],
  runs: readonly MatchRun[],
  targets: Targets,
  turn: Turn,
): Generator<void, void, void> {
  /** By leaf, by ord of the id: the parent's index among the targets; −1: there is none. */
  const parents: (Int32Array | undefined)[] = []
  for (const { leafOrd, docs, scores } of runs) {
    const known = (parents[leafOrd] ??= new Int32Array(tied.idCount(leafOrd)).fill(UNKNOWN))
    for (let i = 0; i < docs.length; i++) {
      const ord = tied.idOrd(leafOrd, docs[i]!)
      if (ord < 0) continue
      let units = 0
      if (known[ord] === UNKNOWN) {
        const parent = tied.parentOf(tied.idOf(leafOrd, ord))
        known[ord] =
          parent === null ? -1 : targets.indexOf(docBases[parent.leafOrd]! + parent.docId)
        units = UNITS_PER_LOOK_UP
      }
      if (known[ord]! >= 0) targets.add(known[ord]!, scores === null ? 0 : scores[i]!)
      if (turn.isOver(units)) yield
    }
    if (turn.isOver(docs.length >>> 6)) yield
  }
}

function* findChildren(
  tied: TiedDocs,
  docBases: readonly number[],
  runs: readonly MatchRun[],
  targets: Targets,
  turn: Turn,
): Generator<void, void, void> {
  for (const { leafOrd, docs, scores } of runs)
    for (let i = 0; i < docs.length; i++) {
      const ord = tied.idOrd(leafOrd, docs[i]!)
      if (ord < 0) continue
      const id = tied.idOf(leafOrd, ord)
      for (let at = 0; at < docBases.length; at++)
        for (const child of tied.tiedTo(at, id))
          targets.add(targets.indexOf(docBases[at]! + child), scores === null ? 0 : scores[i]!)
      if (turn.isOver(UNITS_PER_LOOK_UP * docBases.length)) yield
    }
}

/** Documents that matches are tied to, with what their matches add up to. */
class Targets {
  readonly #join: JoinQuery
  readonly #indexes = new Map<number, number>()
  readonly #docs: number[] = []
  /** How many matches, and their scores combined, by index. */
  readonly #counts: number[] = []
  readonly #scores: number[] = []

  constructor(join: JoinQuery) {
    this.#join = join
  }

  /** The index of a document, which is new without a match. @param doc of the shard */
  indexOf(doc: number): number {
    const known = this.#indexes.get(doc)
    if (known !== undefined) return known
    this.#indexes.set(doc, this.#docs.length)
    this.#counts.push(0)
    this.#scores.push(START[this.#join.scoreMode])
    return this.#docs.push(doc) - 1
  }

  add(index: number, score: number): void {
    this.#counts[index]!++
    this.#scores[index] = combined(this.#join.scoreMode, this.#scores[index]!, score)
  }

  /** Those with as many matches as the join wants. */
  byLeaf(docBases: readonly number[]): readonly JoinedDocs[] {
    const { min, max, scoreMode } = this.#join
    const docs = this.#docs
    const kept = docs
      .map((_, index) => index)
      .filter(index => this.#counts[index]! >= min && this.#counts[index]! <= max)
      .sort((a, b) => docs[a]! - docs[b]!)
    let from = 0
    return docBases.map((docBase, ord) => {
      const end = docBases[ord + 1] ?? Number.POSITIVE_INFINITY
      let to = from
      while (to < kept.length && docs[kept[to]!]! < end) to++
      const mine = kept.slice(from, to)
      from = to
      return {
        docs: Int32Array.from(mine, index => docs[index]! - docBase),
        scores:
          scoreMode === 'none' ? null : Float32Array.from(mine, index => this.#scoreOf(index)),
      }
    })
  }

  #scoreOf(index: number): number {
    const score = this.#scores[index]!
    return this.#join.scoreMode === 'avg' ? score / this.#counts[index]! : score
  }
}

/** Before the first match. */
const START: { readonly [M in JoinScoreMode]: number } = {
  none: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
  sum: 0,
  avg: 0,
}

function combined(mode: JoinScoreMode, before: number, score: number): number {
  switch (mode) {
    case 'none':
      return 0
    case 'min':
      return Math.min(before, score)
    case 'max':
      return Math.max(before, score)
    case 'sum':
    case 'avg':
      return Math.fround(before + score)
  }
}
