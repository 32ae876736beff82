import type { WrittenType } from './ast.ts'
import { TokenCursor } from './token-cursor.ts'

/** Keywords that are types. */
export const PRIMITIVES: ReadonlySet<string> = new Set(
  'def boolean byte short char int long float double'.split(' '),
)

/** Reads types. */
export abstract class TypeParser {
  protected readonly cursor: TokenCursor

  constructor(source: string) {
    this.cursor = new TokenCursor(source)
  }

  /** Reads a type with its dimensions. */
  protected type(): WrittenType {
    const { cursor } = this
    const name = this.typeName()
    let { text } = name
    while (cursor.is('[') && cursor.is(']', 1)) {
      cursor.take()
      cursor.take()
      text += '[]'
    }
    return { text, offset: name.offset }
  }

  /** Reads a type without dimensions. */
  protected typeName(): WrittenType {
    const { cursor } = this
    const first = cursor.peek()
    if (first.kind === 'word' && (PRIMITIVES.has(first.text) || first.text === 'void')) {
      cursor.take()
      return { text: first.text, offset: first.start }
    }
    let { text } = cursor.name()
    while (cursor.is('.') && cursor.peek(1).kind === 'name') {
      cursor.take()
      text += `.${cursor.take().text}`
    }
    return { text, offset: first.start }
  }

  /** The distance of the token behind a type that begins at a distance; null: none does. */
  protected behindType(distance: number): number | null {
    const { cursor } = this
    const first = cursor.peek(distance)
    let behind = distance + 1
    if (first.kind === 'name')
      while (cursor.is('.', behind) && cursor.peek(behind + 1).kind === 'name') behind += 2
    else if (first.kind !== 'word' || !(PRIMITIVES.has(first.text) || first.text === 'void'))
      return null
    while (cursor.is('[', behind) && cursor.is(']', behind + 1)) behind += 2
    return behind
  }
}
