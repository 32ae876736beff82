import { EngineError, IllegalArgumentError } from '../util/errors.ts'

/** The error of a mapping that cannot be read. */
export function mapperParsingError(reason: string): EngineError {
  return new EngineError({ type: 'mapper_parsing_exception', reason })
}

/** The error of a key of the real API that is not built. */
export function notSupported(key: string): IllegalArgumentError {
  return new IllegalArgumentError(`[${key}] is not supported yet`)
}
