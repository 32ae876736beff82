/** `params._fields`: the stored fields of a hit, as scripts of fields see them. */
import { ScriptObject, type ScriptValue } from '../value/script-value.ts'
import { UnmodifiableMap } from '../value/unmodifiable.ts'
import { unknownField } from './doc-values.ts'

/** The values of one field; none where it is not stored. */
export class FieldLookup extends ScriptObject {
  readonly className: string = 'org.opensearch.search.lookup.FieldLookup'
  readonly values: readonly ScriptValue[]

  constructor(values: readonly ScriptValue[]) {
    super()
    this.values = values
  }

  override text(): string {
    return this.className
  }
}

const NOTHING = new FieldLookup([])

/** The fields of a document by name. */
export class FieldsLookup extends UnmodifiableMap {
  readonly #isMapped: (name: string) => boolean

  /** @param stored by name, those that have values */
  constructor(
    stored: ReadonlyMap<string, readonly ScriptValue[]>,
    isMapped: (name: string) => boolean,
  ) {
    super(new Map(Array.from(stored, ([name, values]) => [name, new FieldLookup(values)])))
    this.#isMapped = isMapped
  }

  /** @throws {ScriptFault} `illegal_argument_exception`: the mapping has no such field */
  override get(name: ScriptValue): FieldLookup {
    const found = super.get(name)
    if (found instanceof FieldLookup) return found
    if (this.#isMapped(String(name))) return NOTHING
    throw unknownField(String(name))
  }

  override has(name: ScriptValue): boolean {
    return super.has(name) || this.#isMapped(String(name))
  }
}
