/** Runs the processors of one half of a pipeline in turn, counts them and notes what each did. */
import { EngineError } from '../../../util/errors.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import type { RunningCount } from '../../node/search-pipeline-counts.ts'
import type { SearchProcessor } from './search-processor.ts'

/** Surroundings of a half of a pipeline that runs. */
export interface HalfRun<T> {
  /** Of all pipelines; null: processors that no pipeline names. */
  readonly total: RunningCount | null
  /** Of this one; null: it is not stored. */
  readonly counts: {
    readonly runs: RunningCount | null
    processor(label: string): RunningCount
  } | null
  /** Takes what processors did; null where nobody asks: then a failure ends the search. */
  readonly notes: JsonRecord[] | null
  /** Told of a failure that does not end the search; null: nobody is. */
  readonly onIgnored: ((type: string, error: EngineError) => void) | null
  /** A value as a note shows it. */
  readonly show: (value: T) => JsonValue
}

/**
 * Runs processors in turn. One that fails and may, or that is noted, leaves what it was given.
 * @throws {EngineError} what a processor fails with
 */
export async function runProcessors<Step, T>(
  processors: readonly SearchProcessor<Step>[],
  first: T,
  apply: (step: Step, value: T) => T | Promise<T>,
  run: HalfRun<T>,
): Promise<T> {
  if (processors.length === 0) return first
  const ends = [run.total?.begin(), run.counts?.runs?.begin()]
  let hasFailed = true
  try {
    let value = first
    for (const processor of processors) value = await runProcessor(processor, value, apply, run)
    hasFailed = false
    return value
  } finally {
    for (const end of ends) end?.(hasFailed)
  }
}

async function runProcessor<Step, T>(
  { type, tag, label, ignoresFailure, step }: SearchProcessor<Step>,
  value: T,
  apply: (step: Step, value: T) => T | Promise<T>,
  { counts, notes, onIgnored, show }: HalfRun<T>,
): Promise<T> {
  const end = counts?.processor(label).begin()
  const started = performance.now()
  const note = (output: T | null, error: string | null): void => {
    notes?.push({
      processor_name: type,
      tag: tag ?? undefined,
      duration_millis: Math.floor(performance.now() - started),
      status: error === null ? 'success' : 'fail',
      error: error ?? undefined,
      input_data: show(value),
      output_data: output === null ? null : show(output),
    })
  }
  try {
    const output = await apply(step, value)
    end?.(false)
    note(output, null)
    return output
  } catch (error) {
    end?.(true)
    if (!(error instanceof EngineError)) throw error
    note(null, error.record.reason)
    if (!ignoresFailure && notes === null) throw error
    onIgnored?.(type, error)
    return value
  }
}
