/** Processors as they are read and run. */

import type { ScriptValue } from '../script/value/script-value.ts'
import type { IngestDocument } from './ingest-document.ts'
import type { ProcessorConfig } from './processor-config.ts'
import type { ScriptCompiler } from './script-compiler.ts'

/** A type of processor: a file each, and a line in the table of `processors.ts`. */
export interface ProcessorType {
  readonly name: string
  /**
   * Reads the options.
   * @throws {EngineError} `parse_exception`, `illegal_argument_exception`: options that cannot be
   */
  parse(config: ProcessorConfig, setup: ProcessorSetup): ProcessorAction
}

/** The surroundings that processors are read in. */
export interface ProcessorSetup {
  readonly scripts: ScriptCompiler
  /** Reads a processor that another one holds. */
  parse(type: string, config: ScriptValue): Processor
}

/** The step that a processor runs on a document. */
export type ProcessorAction =
  | {
      readonly kind: 'change'
      /** Changes the document; answers `dropped` where it ends here for good. */
      readonly run: (document: IngestDocument, run: ProcessorRun) => ProcessorOutcome
    }
  | {
      readonly kind: 'pipeline'
      /** The pipeline that takes over; null where a missing one is fine. */
      readonly find: (document: IngestDocument, run: ProcessorRun) => Pipeline | null
    }

/** The outcome of a processor. */
export type ProcessorOutcome = 'dropped' | undefined

/** Told of matches of native patterns, which cannot be interrupted. */
export interface MatchWatch {
  /** @throws {EngineError} the match is known to take too long */
  begin(): void
  end(): void
}

/** The run that a processor is part of. */
export interface ProcessorRun {
  readonly matches: MatchWatch
  /** A pipeline by id; null: there is none. */
  pipeline(id: string): Pipeline | null
  /** Runs a processor that another one holds, without a record of it. */
  within(processor: Processor, document: IngestDocument): ProcessorOutcome
}

/** A processor of a pipeline. */
export interface Processor {
  readonly type: string
  readonly tag: string | null
  readonly description: string | null
  readonly condition: {
    readonly source: string
    readonly test: (document: IngestDocument) => boolean
  } | null
  readonly ignoresFailure: boolean
  /** Run where it fails; none: the failure goes on. */
  readonly onFailure: readonly Processor[]
  readonly action: ProcessorAction
}

/** A pipeline that is ready to run. */
export interface Pipeline {
  readonly id: string
  readonly processors: readonly Processor[]
  /** Run where one of them fails and does not handle it; none: the document fails. */
  readonly onFailure: readonly Processor[]
}

/** A processor that changes documents and drops none. */
export function changes(run: (document: IngestDocument) => void): ProcessorAction {
  return {
    kind: 'change',
    run(document) {
      run(document)
      return undefined
    },
  }
}
