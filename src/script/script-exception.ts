/** The error that a script is to its caller: why it failed, and where in its source. */
import { EngineError, type ErrorRecord } from '../util/errors.ts'

/** How much of a source around an offset a compile error shows. */
const SHOWN_AROUND = 25

/** A script that failed. */
export interface FailedScript {
  /** `painless`, `expression`, `mustache`. */
  readonly lang: string
  readonly source: string
  /** The script's name in errors in place of its source: the id of a stored script. */
  readonly name?: string
  /** In the source, in UTF-16 units; −1 where nothing is known. */
  readonly offset: number
  readonly cause: ErrorRecord
  /** Further keys ahead of the stack. */
  readonly extra?: Readonly<Record<string, string>>
}

interface Position {
  readonly offset: number
  readonly start: number
  readonly end: number
}

/** `script_exception` of a source that does not compile. */
export function compileError(failed: FailedScript): EngineError {
  const { offset, source } = failed
  const start = Math.max(0, offset - SHOWN_AROUND)
  const end = Math.min(source.length, offset + SHOWN_AROUND)
  return scriptException('compile error', failed, { offset, start, end })
}

/** `script_exception` of a variable that does not bind. */
export function linkError(failed: FailedScript): EngineError {
  const { offset, source } = failed
  return scriptException('link error', failed, { offset, start: 0, end: source.length })
}

/**
 * `script_exception` of a script that failed while it ran.
 * @param statements offsets of the statements, ascending: the one that holds the offset is shown
 */
export function runtimeError(failed: FailedScript, statements: readonly number[]): EngineError {
  const { offset, source } = failed
  let start = 0
  let end = source.length
  for (const each of statements) {
    if (each <= offset) start = each
    else {
      end = each
      break
    }
  }
  return scriptException('runtime error', failed, { offset, start, end })
}

function scriptException(reason: string, failed: FailedScript, position: Position): EngineError {
  const { source, lang, cause, name } = failed
  const isPlaced = position.offset >= 0
  return new EngineError({
    type: 'script_exception',
    reason,
    extra: {
      ...failed.extra,
      script_stack: isPlaced ? stackOf(source, position) : [],
      script: name ?? source,
      lang,
      ...(isPlaced && { position }),
    },
    causedBy: cause,
  })
}

/** A line of source, and one with an arrow below the offset. */
function stackOf(source: string, { offset, start, end }: Position): string[] {
  const before = start > 0 ? '... ' : ''
  const after = end < source.length ? ' ...' : ''
  const blanks = ' '.repeat(offset - start + before.length)
  return [`${before}${source.slice(start, end)}${after}`, `${blanks}^---- HERE`]
}
