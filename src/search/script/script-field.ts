import type { NumberColumn } from '../scorer/number-values.ts'

/** A field as scripts read it: where its values lie, and what they are to a script. Plain data. */
export type ScriptField =
  | {
      readonly kind: 'long' | 'double' | 'boolean' | 'unsignedLong' | 'millis' | 'nanos'
      readonly column: NumberColumn
    }
  | { readonly kind: 'text' | 'address'; readonly column: string }
  | { readonly kind: 'place' | 'bytes'; readonly column: string }
  | { readonly kind: 'constant'; readonly value: string }
