/** Streams of `java.util.stream`: elements are made one by one, when the last operation asks. */
import { illegalState } from '../../java-faults.ts'
import type { ScriptRun } from '../../script-run.ts'
import { ScriptObject, type ScriptValue } from '../../value/script-value.ts'
import { walk } from './walk.ts'

/** The item types of streams: `Stream` has `def`, `IntStream` `int`. */
export type StreamType = 'def' | 'int' | 'long' | 'double'

/** The class of a stream of an item type. */
export function streamName(type: StreamType): string {
  return type === 'def' ? 'Stream' : `${type[0]!.toUpperCase()}${type.slice(1)}Stream`
}

/** A stream; its elements are values, also where their type is primitive. */
export class StreamValue extends ScriptObject {
  readonly className: string
  readonly type: StreamType
  #items: Iterable<ScriptValue> | null

  constructor(type: StreamType, items: Iterable<ScriptValue>) {
    super()
    this.className = `java.util.stream.${streamName(type)}`
    this.type = type
    this.#items = items
  }

  /**
   * Its elements, for the one operation that a stream serves.
   * @throws {ScriptFault} `illegal_state_exception`: it served one already
   */
  take(): Iterable<ScriptValue> {
    if (this.#items === null) throw illegalState('stream has already been operated upon or closed')
    const items = this.#items
    this.#items = null
    return items
  }

  override text(): string {
    return this.className
  }

  override hash(): number {
    return 1
  }
}

/** A stream over a collection, which must not change meanwhile. */
export function streamOf(run: ScriptRun, collection: ScriptValue): StreamValue {
  return new StreamValue('def', walk(run, collection))
}

/** A stream of the UTF-16 units, or the code points, of a text. */
export function streamOfText(run: ScriptRun, text: string, byPoint: boolean): StreamValue {
  return new StreamValue('int', pointsOf(run, text, byPoint))
}

function* pointsOf(
  run: ScriptRun,
  text: string,
  byPoint: boolean,
): Generator<ScriptValue, undefined, undefined> {
  for (let i = 0; i < text.length; i++) {
    run.step()
    const point = byPoint ? text.codePointAt(i)! : text.charCodeAt(i)
    if (point > 0xffff) i++
    yield point
  }
}
