import type { Typed, TypeName } from '../library/class-type.ts'
import type { Run } from './code.ts'
import type { Frame } from './frame.ts'

/** A property or an item: what a dot or a bracket reads, and an assignment may write to. */
export interface Place {
  readonly type: TypeName
  /** The object that holds it. */
  readonly owner: Run
  /** The key or index in that. */
  readonly key: Run
  read(frame: Frame, owner: Typed, key: Typed): Typed
  write(frame: Frame, owner: Typed, key: Typed, value: Typed): void
}

/** The key of a property, which needs none. */
export function noKey(): Typed {
  return null
}
