/** A weight as a word record: what slices read of it, the nodes that most searches are made of by hand. */

import type { Occur } from '../../search/query/query.ts'
import type {
  BooleanWeight,
  Expansion,
  LeafStates,
  MultiTermWeight,
  PhraseWeight,
  PointWeight,
  TermRun,
  TermWeight,
  Weight,
  WeightNode,
} from '../../search/weight/weight.ts'
import type { WordReader, WordWriter } from '../../util/word-record.ts'

type TermState = NonNullable<LeafStates['terms'][number]>

/** Nodes by the number that stands before them; what is not listed is serialised, as number 0. */
const OTHER = 0
const TERM = 1
const BOOLEAN = 2
const CONSTANT = 3
const PHRASE = 4
const DIS_MAX = 5
const ALL = 6
const MULTI_TERM = 7
const POINT = 8

const OCCURS: readonly Occur[] = ['must', 'should', 'filter', 'must_not']

export function writeWeight(to: WordWriter, weight: Weight): void {
  writeNode(to, weight.root)
  writeList(to, weight.leaves, writeStates)
  to.number(weight.openPostings)
  to.number(weight.cost)
}

/** The weight but for what profiles print and which sections it reads. */
export function readWeight(from: WordReader): Weight {
  return {
    root: readNode(from),
    nodes: [],
    leaves: readList(from, readStates),
    sections: [],
    openPostings: from.number(),
    cost: from.number(),
  }
}

function writeNode(to: WordWriter, node: WeightNode): void {
  switch (node.kind) {
    case 'term':
      to.number(TERM)
      writeTerm(to, node)
      return
    case 'boolean':
      to.number(BOOLEAN)
      to.number(node.id)
      writeList(to, node.clauses, writeClause)
      to.number(node.minimumShouldMatch)
      to.flag(node.scored)
      return
    case 'constant':
      to.number(CONSTANT)
      to.number(node.id)
      to.number(node.score)
      writeNode(to, node.child)
      return
    case 'phrase':
      to.number(PHRASE)
      writePhrase(to, node)
      return
    case 'disMax':
      to.number(DIS_MAX)
      to.number(node.id)
      writeList(to, node.children, writeNode)
      to.number(node.tieBreaker)
      to.flag(node.scored)
      return
    case 'all':
      to.number(ALL)
      to.number(node.id)
      to.number(node.score)
      return
    case 'multiTerm':
      to.number(MULTI_TERM)
      writeMultiTerm(to, node)
      return
    case 'point':
      to.number(POINT)
      writePoint(to, node)
      return
    default:
      to.number(OTHER)
      to.plain(node)
  }
}

function readNode(from: WordReader): WeightNode {
  switch (from.number()) {
    case TERM:
      return readTerm(from)
    case BOOLEAN:
      return {
        kind: 'boolean',
        id: from.number(),
        clauses: readList(from, readClause),
        minimumShouldMatch: from.number(),
        scored: from.flag(),
      }
    case CONSTANT:
      return { kind: 'constant', id: from.number(), score: from.number(), child: readNode(from) }
    case PHRASE:
      return readPhrase(from)
    case DIS_MAX:
      return {
        kind: 'disMax',
        id: from.number(),
        children: readList(from, readNode),
        tieBreaker: from.number(),
        scored: from.flag(),
      }
    case ALL:
      return { kind: 'all', id: from.number(), score: from.number() }
    case MULTI_TERM:
      return readMultiTerm(from)
    case POINT:
      return readPoint(from)
    default:
      return from.plain() as WeightNode
  }
}

type BooleanClause = BooleanWeight['clauses'][number]

function writeClause(to: WordWriter, { occur, node }: BooleanClause): void {
  to.number(OCCURS.indexOf(occur))
  writeNode(to, node)
}

function readClause(from: WordReader): BooleanClause {
  const occur = OCCURS[from.number()]!
  return { occur, node: readNode(from) }
}

function writeTerm(to: WordWriter, node: TermWeight): void {
  to.number(node.id)
  to.text(node.field)
  to.text(node.term)
  to.number(node.termId)
  to.number(node.docCount)
  to.number(node.boost)
  to.number(node.weight)
  to.number(node.average)
  to.flag(node.scored)
}

function readTerm(from: WordReader): TermWeight {
  return {
    kind: 'term',
    id: from.number(),
    field: from.text(),
    term: from.text(),
    termId: from.number(),
    docCount: from.number(),
    boost: from.number(),
    weight: from.number(),
    average: from.number(),
    scored: from.flag(),
  }
}

function writePhrase(to: WordWriter, node: PhraseWeight): void {
  to.number(node.id)
  to.text(node.field)
  writeList(to, node.terms, writeText)
  writeList(to, node.termIds, writeNumber)
  to.number(node.docCount)
  to.number(node.boost)
  writeList(to, node.positions, writeNumber)
  to.number(node.slop)
  to.number(node.weight)
  to.number(node.average)
  to.flag(node.scored)
}

function readPhrase(from: WordReader): PhraseWeight {
  return {
    kind: 'phrase',
    id: from.number(),
    field: from.text(),
    terms: readList(from, readText),
    termIds: readList(from, readNumber),
    docCount: from.number(),
    boost: from.number(),
    positions: readList(from, readNumber),
    slop: from.number(),
    weight: from.number(),
    average: from.number(),
    scored: from.flag(),
  }
}

function writeMultiTerm(to: WordWriter, node: MultiTermWeight): void {
  to.number(node.id)
  to.text(node.field)
  to.number(node.score)
  to.number(node.expansionId)
  writeList(to, node.runs, writeRun)
}

function readMultiTerm(from: WordReader): MultiTermWeight {
  return {
    kind: 'multiTerm',
    id: from.number(),
    field: from.text(),
    score: from.number(),
    expansionId: from.number(),
    runs: readList(from, readRun),
  }
}

function writeRun(to: WordWriter, { lower, upper }: TermRun): void {
  to.bytes(lower)
  to.flag(upper !== null)
  if (upper !== null) to.bytes(upper)
}

function readRun(from: WordReader): TermRun {
  return { lower: from.bytes(), upper: from.flag() ? from.bytes() : null }
}

function writePoint(to: WordWriter, node: PointWeight): void {
  to.number(node.id)
  to.text(node.field)
  to.number(node.score)
  to.number(node.intervals.length)
  for (const { lowerHi, lowerLo, upperHi, upperLo } of node.intervals) {
    to.number(lowerHi)
    to.number(lowerLo)
    to.number(upperHi)
    to.number(upperLo)
  }
  to.flag(node.indexed)
  to.flag(node.docValues)
}

function readPoint(from: WordReader): PointWeight {
  return {
    kind: 'point',
    id: from.number(),
    field: from.text(),
    score: from.number(),
    intervals: readList(from, () => ({
      lowerHi: from.number(),
      lowerLo: from.number(),
      upperHi: from.number(),
      upperLo: from.number(),
    })),
    indexed: from.flag(),
    docValues: from.flag(),
  }
}

function writeStates(to: WordWriter, { terms, expansions }: LeafStates): void {
  writeList(to, terms, writeState)
  writeList(to, expansions, writeExpansion)
}

function readStates(from: WordReader): LeafStates {
  return { terms: readList(from, readState), expansions: readList(from, readExpansion) }
}

function writeExpansion(to: WordWriter, { states, postings }: Expansion): void {
  to.number(postings)
  to.flag(states !== null)
  if (states !== null) writeList(to, states, writeState)
}

function readExpansion(from: WordReader): Expansion {
  const postings = from.number()
  if (!from.flag()) return { states: null, postings }
  return { states: readList(from, each => readState(each)!), postings }
}

/** A term that the leaf lacks is one word, as it has no documents. */
function writeState(to: WordWriter, state: TermState | null): void {
  if (state === null) {
    to.number(0)
    return
  }
  to.number(state.docFreq)
  to.number(state.totalTermFreq)
  to.number(state.impact)
  to.number(state.firstBlock)
  to.number(state.singleDoc)
  to.number(state.tailAt)
  to.number(state.positionsAt)
  to.number(state.positionsWidth)
}

function readState(from: WordReader): TermState | null {
  const docFreq = from.number()
  if (docFreq === 0) return null
  return {
    docFreq,
    totalTermFreq: from.number(),
    impact: from.number(),
    firstBlock: from.number(),
    singleDoc: from.number(),
    tailAt: from.number(),
    positionsAt: from.number(),
    positionsWidth: from.number(),
  }
}

function writeList<T>(
  to: WordWriter,
  items: readonly T[],
  write: (to: WordWriter, item: T) => void,
): void {
  to.number(items.length)
  for (const item of items) write(to, item)
}

function readList<T>(from: WordReader, read: (from: WordReader) => T): T[] {
  const length = from.number()
  const items: T[] = []
  for (let i = 0; i < length; i++) items.push(read(from))
  return items
}

function writeNumber(to: WordWriter, value: number): void {
  to.number(value)
}

function readNumber(from: WordReader): number {
  return from.number()
}

function writeText(to: WordWriter, value: string): void {
  to.text(value)
}

function readText(from: WordReader): string {
  return from.text()
}
