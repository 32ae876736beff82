import type { Machine } from '../lib/report.ts'
import type { Comparison } from './agreement.ts'
import type { Resident } from './child-process.ts'
import type { Measured } from './measure.ts'
import type { Mode } from './protocol.ts'
import type { EngineFacts } from './running-engine.ts'

/** Everything that a run found out: what is written as JSON, and what table and page are made of. */
export interface RunRecord {
  readonly machine: Machine
  readonly corpus: {
    readonly name: string
    readonly docCount: number
    readonly textBytes: number
    readonly termCount: number
  }
  readonly rounds: number
  readonly roundInMillis: number
  readonly engines: readonly EngineRecord[]
  readonly lines: readonly LineRecord[]
  readonly measured: readonly Measured[]
  readonly comparison: Comparison
  /** Terms that two exact engines count otherwise, or that only one has. */
  readonly termDifferences: readonly string[]
}

/** One engine that was asked for. */
export interface EngineRecord {
  readonly name: string
  readonly isExact: boolean
  /** What it was asked, on one thread; null: every line. */
  readonly modes: readonly Mode[] | null
  /** Why it could not run; null when it did. */
  readonly missing: string | null
  readonly facts: EngineFacts | null
  /** After all rounds. */
  readonly residentAfter: Resident | null
}

/** One line without its engines. */
export interface LineRecord {
  readonly name: string
  readonly className: string
  readonly mode: Mode
  readonly slices: number
  readonly queries: readonly string[]
}

/** An engine's times on a line, when it has any. */
export function measuredOn(record: RunRecord, line: string, engine: string): Measured | null {
  return record.measured.find(entry => entry.line === line && entry.engine === engine) ?? null
}

/** How often Lamella fits into a rival's mean time; null where one of them has none. */
export function ratioTo(record: RunRecord, line: string, engine: string): number | null {
  const ours = measuredOn(record, line, 'lamella')?.figures
  const theirs = measuredOn(record, line, engine)?.figures
  return ours == null || theirs == null ? null : theirs.mean / ours.mean
}
