/** The values that the script of a derived field emits for documents. */
import { MAX_CALLING_THREAD_MILLIS, newDocumentRun } from '../../../script/script-run.ts'
import { readValue } from '../../../script/value/read-value.ts'
import type { ScriptValue } from '../../../script/value/script-value.ts'
import type { DerivedValues } from '../../../search/script/derived-values.ts'
import { inputsOf, type LeafScript } from '../../../search/script/leaf-script.ts'
import { scriptEngine } from '../../../search/script/script-engine.ts'
import type { Leaf } from '../../../segment/leaf.ts'
import { encodeUtf8 } from '../../../util/bytes.ts'
import { EngineError } from '../../../util/errors.ts'
import { castFault } from './derived-faults.ts'

/** A value that a script has emitted. */
export type EmittedValue = Exclude<ScriptValue, null>

/** Runs the script of a derived field, on documents in any order. */
export class DerivedEmitter {
  readonly #values: DerivedValues
  readonly #run = newDocumentRun(MAX_CALLING_THREAD_MILLIS)
  #leaf: Leaf | null = null
  /** On the leaf at hand; null: it is opened for each document, whose source it reads. */
  #script: LeafScript | null = null

  constructor(values: DerivedValues) {
    this.#values = values
  }

  /**
   * The values of a document but nulls, in the order in which they were emitted.
   * @param leaf   with the script's sections
   * @param source of the document, called where the script reads it; null: it has none
   * @throws {EngineError} `script_exception`; an emitted object is none
   */
  valuesOf(leaf: Leaf, docId: number, source: () => Uint8Array | null): readonly EmittedValue[] {
    const emitted = this.#scriptOn(leaf, source).value(docId) as ScriptValue[]
    const { path } = this.#values
    const values = path === null ? emitted : emitted.flatMap(object => membersOf(object, path))
    return values.filter((value): value is EmittedValue => value !== null)
  }

  #scriptOn(leaf: Leaf, source: () => Uint8Array | null): LeafScript {
    const { script, readsSource } = this.#values
    if (readsSource) {
      const bytes = source()
      const params = new Map([['_source', bytes === null ? new Map() : readValue(bytes)]])
      return scriptEngine().open(script, leaf, { ...inputsOf(this.#run), params })
    }
    if (this.#script === null || this.#leaf !== leaf) {
      this.#script = scriptEngine().open(script, leaf, inputsOf(this.#run))
      this.#leaf = leaf
    }
    return this.#script
  }
}

/** The values of a member of an emitted object; each of a list. */
function membersOf(object: ScriptValue, path: string): readonly ScriptValue[] {
  if (object === null) return []
  if (typeof object !== 'string') throw castFault(object, 'java.lang.String')
  let value = readObject(object)
  for (const key of path.split('.')) {
    if (!(value instanceof Map)) return []
    value = value.get(key) ?? null
  }
  return Array.isArray(value) ? value : [value]
}

/**
 * The object that a text begins with; whatever follows it is passed over.
 * @throws {EngineError} `parse_exception`: it begins with none
 */
function readObject(text: string): ScriptValue {
  try {
    const value = readValue(encodeUtf8(text.slice(0, objectEnd(text))))
    if (value instanceof Map) return value
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
  }
  throw new EngineError({ type: 'parse_exception', reason: 'Failed to parse content to map' })
}

/** Where the first object of a text ends; its length where none does. */
function objectEnd(text: string): number {
  let depth = 0
  let isText = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (isText && char === '\\') i++
    else if (char === '"') isText = !isText
    else if (!isText && char === '{') depth++
    else if (!isText && char === '}' && --depth <= 0) return i + 1
  }
  return text.length
}
