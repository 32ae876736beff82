/** A thread's results for the parts that it took, as a word record. */

import type { SliceHit, SliceResult } from '../../search/collector/collect-spec.ts'
import type { SliceRecord } from '../../search/slice-report.ts'
import type { SortValue } from '../../search/sort/sort-key.ts'
import type { WordReader, WordWriter } from '../../util/word-record.ts'
import type { Executor, SliceOutcome } from '../run-slice.ts'

/** The outcomes of one thread, and whether it yielded with work left. */
export interface TakenOutcomes {
  readonly outcomes: readonly SliceOutcome[]
  readonly hasPaused: boolean
}

/** Appends the outcomes of one thread. */
export function writeOutcomes(to: WordWriter, { outcomes, hasPaused }: TakenOutcomes): void {
  to.flag(hasPaused)
  to.number(outcomes.length)
  for (const { result, executor, report } of outcomes) {
    writeResult(to, result)
    to.text(executor)
    to.flag(report !== null)
    if (report !== null) to.plain(report)
  }
}

/** Reads what `writeOutcomes` has written. */
export function readOutcomes(from: WordReader): TakenOutcomes {
  const hasPaused = from.flag()
  const count = from.number()
  const outcomes: SliceOutcome[] = []
  for (let i = 0; i < count; i++) {
    const result = readResult(from)
    const executor = from.text() as Executor
    const report = from.flag() ? (from.plain() as SliceRecord) : null
    outcomes.push({ result, profile: null, executor, report })
  }
  return { outcomes, hasPaused }
}

function writeResult(to: WordWriter, result: SliceResult): void {
  to.number(result.hitCount)
  to.number(result.maxScore)
  to.flag(result.timedOut)
  to.flag(result.cancelled)
  to.flag(result.terminatedEarly)
  const { counters } = result
  to.number(counters.blocksDecoded)
  to.number(counters.blocksSkipped)
  to.number(counters.runsSkipped)
  to.number(counters.windows)
  to.number(counters.postingsScored)
  to.number(counters.positionsChecked)
  to.number(counters.candidates)
  writeHits(to, result.hits)
  to.flag(result.lists !== undefined)
  if (result.lists !== undefined) to.list(result.lists, (inner, list) => writeHits(inner, list))
  to.flag(result.partials.length > 0)
  if (result.partials.length > 0) to.plain(result.partials)
}

function writeHits(to: WordWriter, hits: readonly SliceHit[]): void {
  to.number(hits.length)
  for (const { globalDoc, score, sort } of hits) {
    to.number(globalDoc)
    to.number(score)
    to.number(sort === null ? -1 : sort.length)
    if (sort !== null) for (const value of sort) writeSortValue(to, value)
  }
}

function readHits(from: WordReader): SliceHit[] {
  const count = from.number()
  const hits: SliceHit[] = []
  for (let i = 0; i < count; i++) {
    const globalDoc = from.number()
    const score = from.number()
    const values = from.number()
    hits.push({ globalDoc, score, sort: values < 0 ? null : readSortValues(from, values) })
  }
  return hits
}

function readResult(from: WordReader): SliceResult {
  const hitCount = from.number()
  const maxScore = from.number()
  const timedOut = from.flag()
  const cancelled = from.flag()
  const terminatedEarly = from.flag()
  const counters = {
    blocksDecoded: from.number(),
    blocksSkipped: from.number(),
    runsSkipped: from.number(),
    windows: from.number(),
    postingsScored: from.number(),
    positionsChecked: from.number(),
    candidates: from.number(),
  }
  const hits = readHits(from)
  const lists = from.flag() ? { lists: from.list(readHits) } : null
  const partials = from.flag() ? (from.plain() as readonly unknown[]) : []
  const rest = { hitCount, maxScore, timedOut, cancelled, terminatedEarly, counters, partials }
  return { hits, ...lists, ...rest }
}

const NONE = 0
const NUMBER = 1
const LONG = 2
const BYTES = 3

function writeSortValue(to: WordWriter, value: SortValue): void {
  if (value === null) to.number(NONE)
  else if (typeof value === 'number') {
    to.number(NUMBER)
    to.number(value)
  } else if (typeof value === 'bigint') {
    to.number(LONG)
    to.long(value)
  } else {
    to.number(BYTES)
    to.bytes(value)
  }
}

function readSortValues(from: WordReader, count: number): SortValue[] {
  const values: SortValue[] = []
  for (let i = 0; i < count; i++) {
    const kind = from.number()
    if (kind === NONE) values.push(null)
    else if (kind === NUMBER) values.push(from.number())
    else values.push(kind === LONG ? from.long() : from.bytes())
  }
  return values
}
