/** The function `emit` of scripts of derived fields, which gives the document at hand a value. */
import { Float32, Float64 } from '../../../util/json/json-value.ts'
import { GeoPointValue } from '../../doc/geo-point-value.ts'
import { illegalArgument, illegalState } from '../../java-faults.ts'
import type { ScriptRun } from '../../script-run.ts'
import { ScriptObject, type ScriptValue } from '../../value/script-value.ts'
import { textOfValue } from '../../value/value-text.ts'
import type { Member } from './class-type.ts'
import { members } from './members.ts'

/** Bytes that the values of one document may have. */
const MAX_BYTES = 1024 * 1024

/** The values that a script has emitted for the document at hand. */
export class EmittedValues extends ScriptObject {
  readonly className: string = 'org.opensearch.script.DerivedFieldScript'
  #values: ScriptValue[] = []
  #bytes = 0

  /** In the order in which they were emitted. */
  get values(): readonly ScriptValue[] {
    return this.#values
  }

  /** Begins another document. */
  clear(): void {
    this.#values = []
    this.#bytes = 0
  }

  /** @throws {ScriptFault} a value of another kind, or more than a document may have */
  add(value: ScriptValue, run: ScriptRun): void {
    this.#bytes += bytesOf(value, run)
    if (this.#bytes > MAX_BYTES)
      throw illegalState('Exceeded maximum allowed byte size for emitted values')
    this.#values.push(value)
  }

  override text(): string {
    return this.className
  }
}

/** Functions by `name/arity`; the receiver of each is an `EmittedValues`. */
export const EMIT_FUNCTIONS: Readonly<Record<string, Member>> = members({
  'void emit(def)': (run, emitted: EmittedValues, value: ScriptValue) => {
    emitted.add(value, run)
  },
  'void emit(double, double)': (run, emitted: EmittedValues, lat: number, lon: number) => {
    emitted.add(new GeoPointValue(lat, lon), run)
  },
})

function bytesOf(value: ScriptValue, run: ScriptRun): number {
  if (value === null) return 0
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'boolean') return 1
  if (value instanceof GeoPointValue) return 16
  if (value instanceof Float32) return 4
  if (typeof value === 'bigint' || typeof value === 'number' || value instanceof Float64) return 8
  throw illegalArgument(
    `Unsupported object type passed in emit() - ${textOfValue(value, run).slice(0, 256)}`,
  )
}
