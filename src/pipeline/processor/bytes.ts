import { sizeInBytes } from '../../script/size-in-bytes.ts'
import type { ProcessorType } from '../processor.ts'
import { textProcessor } from './text-processor.ts'

/** `bytes`: a size such as `1kb` as its number of bytes. */
export const BYTES: ProcessorType = textProcessor('bytes', () => text => BigInt(sizeInBytes(text)))
