import {
  classCast,
  illegalArgument,
  nullPointer,
  unsupportedOperation,
} from '../../../script/java-faults.ts'
import { ScriptFault } from '../../../script/script-fault.ts'
import { classNameOf, type ScriptValue } from '../../../script/value/script-value.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { Float32, type JsonValue } from '../../../util/json/json-value.ts'
import type { SearchCall } from '../../api/searches.ts'
import { readBoolean, readInteger, readNumber } from '../../dsl/json-scalars.ts'
import { readTrackTotalHits } from '../../dsl/search-body/track-total-hits.ts'
import { sourceKey, withoutSourceKey, withSourceKey } from './search-source.ts'

const MAX_INT = 2 ** 31 - 1

/** A key of the body as scripts see it. */
interface SourceKey {
  /** Its value where the body does not have it. */
  readonly absent: ScriptValue
  read(node: JsonNode): ScriptValue
  /**
   * The value for the body; null takes the key out.
   * @throws {ScriptFault} a value that the key does not take
   */
  write(value: ScriptValue): JsonValue
}

/** The keys that scripts see; the others of a body are refused. */
const KEYS: Readonly<Record<string, SourceKey>> = {
  from: integerKey(-1, 0, '[from] parameter cannot be negative'),
  size: integerKey(-1, 0, '[size] parameter cannot be negative'),
  explain: flagKey(null),
  version: flagKey(null),
  seq_no_primary_term: flagKey(null),
  track_scores: flagKey(false),
  track_total_hits: {
    ...integerKey(null, -1, '[track_total_hits] parameter must be positive or equals to -1'),
    read: node => Math.min(readTrackTotalHits(node), MAX_INT),
    write: value => {
      const limit = integerOf(
        value,
        -1,
        '[track_total_hits] parameter must be positive or equals to -1',
      )
      // As in Java, the largest integer is no limit and −1 counts nothing.
      return limit === MAX_INT ? true : limit === -1 ? false : limit
    },
  },
  min_score: {
    absent: null,
    read: node => new Float32(readNumber(node)),
    write: value => {
      if (value instanceof Float32) return value
      throw castFault(value, 'java.lang.Float')
    },
  },
  terminate_after: integerKey(0, 0, 'terminateAfter must be > 0'),
  profile: flagKey(false),
}

/** The body of a search as a map that scripts read and change. */
export class SearchSourceMap extends Map<ScriptValue, ScriptValue> {
  #call: SearchCall

  constructor(call: SearchCall) {
    super()
    this.#call = call
  }

  /** The search with what the script has changed. */
  changed(): SearchCall {
    return this.#call
  }

  override get(key: ScriptValue): ScriptValue {
    const { absent, read } = keyOf(key)
    const node = sourceKey(this.#call, key as string)
    return node === null ? absent : read(node)
  }

  override has(key: ScriptValue): boolean {
    return this.get(key) !== null
  }

  override set(key: ScriptValue, value: ScriptValue): this {
    const written = keyOf(key).write(value)
    this.#call =
      written === null
        ? withoutSourceKey(this.#call, key as string)
        : withSourceKey(this.#call, key as string, written)
    return this
  }

  override get size(): number {
    return Object.keys(KEYS).length
  }

  override delete(_key: ScriptValue): boolean {
    throw unsupported('remove')
  }

  override clear(): void {
    throw unsupported('clear')
  }

  override keys(): ReturnType<Map<ScriptValue, ScriptValue>['keys']> {
    throw unsupported('keySet')
  }

  override values(): ReturnType<Map<ScriptValue, ScriptValue>['values']> {
    throw unsupported('values')
  }

  override entries(): ReturnType<Map<ScriptValue, ScriptValue>['entries']> {
    throw unsupported('entrySet')
  }

  override [Symbol.iterator](): ReturnType<Map<ScriptValue, ScriptValue>['entries']> {
    throw unsupported('entrySet')
  }

  override forEach(): void {
    throw unsupported('forEach')
  }
}

/** @throws {ScriptFault} no key that scripts see */
function keyOf(key: ScriptValue): SourceKey {
  if (typeof key !== 'string') throw illegalArgument('key must be a String')
  const found = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined
  if (found === undefined) throw processingFault(`Unsupported key: ${key}`)
  return found
}

function integerKey(absent: ScriptValue, least: number, reason: string): SourceKey {
  return { absent, read: readInteger, write: value => integerOf(value, least, reason) }
}

function flagKey(absent: boolean | null): SourceKey {
  return {
    absent,
    read: readBoolean,
    write: value => {
      if (typeof value === 'boolean' || (value === null && absent === null)) return value
      throw castFault(value, 'java.lang.Boolean')
    },
  }
}

function integerOf(value: ScriptValue, least: number, reason: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value))
    throw castFault(value, 'java.lang.Integer')
  if (value < least) throw illegalArgument(`${reason}, found [${value}]`)
  return value
}

function castFault(value: ScriptValue, to: string): ScriptFault {
  return value === null
    ? nullPointer(`Cannot unbox a null ${to}`)
    : classCast(classNameOf(value), to)
}

function unsupported(method: string): ScriptFault {
  return unsupportedOperation(`${method} Method not supported in Search pipeline script`)
}

function processingFault(reason: string): ScriptFault {
  return new ScriptFault(
    'search_request_map_processing_exception',
    'org.opensearch.search.pipeline.common.helpers.SearchRequestMapProcessingException',
    reason,
  )
}
