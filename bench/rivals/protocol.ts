/**
 * What the driver and its children say to each other, a line each. Requests are words between tabs,
 * so that a child in any language reads them without a parser; answers are JSON.
 *
 *   build   documents folder segments threads
 *                                        makes an index of a file of documents        → Built
 *   open    folder [sliced folder]       opens it; a child that keeps its index in
 *                                        memory opens what it just built               → Opened
 *   terms   file                         writes term, documents, occurrences a line    → { terms }
 *   answers mode slices millis query…    runs each once; stops after so long           → Answers
 *   round   mode slices millis query…    passes over the queries for at least so long  → Round
 *   quit
 *
 * A child's first line is `Hello`. An error is `{ error }`, which leaves the child in order; what an
 * engine has no way to do is `{ unsupported }` with the reason. Queries are in the form of query.ts.
 */

/**
 * What is asked of a query: ten best without counting (`top`), counted to 10,000 (`counted`) or to
 * the end (`exact`), the count alone (`count`), the ten newest (`sorted`), the ten best counted to
 * 10,000 with their stored documents (`fetch`), the same with their whole bodies highlighted
 * (`highlighted`, whose keys are checksums of these), the first ten by package (`by-keyword`), the best of
 * each of ten packages (`collapsed`), the ten best of the hundred best when the query's words as a
 * phrase add to their scores (`rescored`); the hundred best (`top-100`) are asked for only to hold
 * others against.
 */
export type Mode =
  | 'top'
  | 'counted'
  | 'exact'
  | 'count'
  | 'sorted'
  | 'fetch'
  | 'highlighted'
  | 'by-keyword'
  | 'collapsed'
  | 'rescored'
  | 'top-100'

/** What a child says first. */
export interface Hello {
  readonly version: string
  readonly runtime: string
}

/** An index was made. */
export interface Built {
  /** From the first document to all of them committed and searchable. */
  readonly nanos: number
  /** Processor time of the whole process meanwhile, all threads. */
  readonly cpuNanos: number
  /** Making one segment of it afterwards. */
  readonly mergeNanos: number
  readonly docs: number
  /** Bytes by kind of file; null where the index is only in memory and cannot be written out. */
  readonly bytes: Readonly<Record<string, number>> | null
  /** Why bytes are null, or what they are. */
  readonly note?: string
}

/** One query's answer. */
export interface Answer {
  /** Line numbers of the hits' documents, best first. */
  readonly docs: readonly number[]
  /**
   * Bits of each hit's float32 score, or its sort value (of text the length); other numbers where the
   * engine scores so.
   */
  readonly keys: readonly number[]
  /** Null where the engine does not tell. */
  readonly total: number | null
  /** Whether `total` is exact and no lower bound. */
  readonly exact: boolean
}

/** Answers in the order of the queries, fewer when the time was up. */
export interface Answers {
  readonly nanos: number
  readonly answers: readonly Answer[]
}

/** One round. */
export interface Round {
  /** Each query's least time in this round, nanoseconds. */
  readonly least: readonly number[]
  readonly passes: number
  readonly nanos: number
  /** Processor time of the whole process, all threads. */
  readonly cpuNanos: number
}

/** Asked of a child. */
export type Request = readonly (string | number)[]

/** An engine has no way to run a request; the bench says why and goes on. */
export class UnsupportedError extends Error {}
