import { EngineError } from '../../util/errors.ts'
import { parseSize } from '../../util/units.ts'
import type { ProcessorType } from '../processor.ts'
import { textProcessor } from './text-processor.ts'

/** `bytes`: a size such as `1kb` as its number of bytes. */
export const BYTES: ProcessorType = textProcessor('bytes', () => (text, field) => {
  try {
    return BigInt(parseSize(text, field))
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new EngineError({ ...error.record, type: 'parse_exception' })
  }
})
