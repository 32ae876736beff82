import { EngineError } from '../util/errors.ts'
import { parseSize } from '../util/units.ts'

/**
 * A size such as `1kb` in bytes, as processors and scripts of pipelines read it.
 * @throws {EngineError} `parse_exception`
 */
export function sizeInBytes(text: string): number {
  try {
    return parseSize(text, 'Ingest Field')
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new EngineError({ ...error.record, type: 'parse_exception' })
  }
}
