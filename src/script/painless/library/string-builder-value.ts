import { ScriptObject } from '../../value/script-value.ts'

/** A `java.lang.CharSequence`. */
export type CharSequence = string | StringBuilderValue

/** A `java.lang.StringBuilder` or `StringBuffer`; equal to itself alone. */
export class StringBuilderValue extends ScriptObject {
  readonly className: string
  /** Appending takes constant time: the runtime's texts are ropes. */
  content: string

  constructor(className: string, content: string) {
    super()
    this.className = className
    this.content = content
  }

  override text(): string {
    return this.content
  }

  /** Its text changes, so that the hash must not depend on it. */
  override hash(): number {
    return 1
  }
}

/** The text of a sequence. */
export function textOf(text: CharSequence): string {
  return typeof text === 'string' ? text : text.content
}
