import type { ProcessorType } from '../processor.ts'
import { textProcessor } from './text-processor.ts'

/** `trim`: no blanks and control characters at both ends. */
export const TRIM: ProcessorType = textProcessor('trim', () => trimmed)

function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) <= 0x20) start++
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--
  return text.slice(start, end)
}
