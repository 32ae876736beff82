import type { ProcessorType } from '../processor.ts'
import { textProcessor } from './text-processor.ts'

/** `lowercase`: small letters. */
export const LOWERCASE: ProcessorType = textProcessor('lowercase', () => text => text.toLowerCase())
