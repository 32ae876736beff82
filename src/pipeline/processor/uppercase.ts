import type { ProcessorType } from '../processor.ts'
import { textProcessor } from './text-processor.ts'

/** `uppercase`: capital letters. */
export const UPPERCASE: ProcessorType = textProcessor('uppercase', () => text => text.toUpperCase())
