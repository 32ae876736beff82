import type { ProcessorType } from '../processor.ts'

/** `drop`: the document goes nowhere. */
export const DROP: ProcessorType = {
  name: 'drop',
  parse: () => ({ kind: 'change', run: () => 'dropped' }),
}
