/** `doc` and `doc['field']` as scripts see them; `search/` implements them over the columns of a leaf. */
import type { Long } from '../../util/long.ts'
import { unsupportedOperation } from '../java-faults.ts'
import { ScriptFault } from '../script-fault.ts'
import { ScriptCollection } from '../value/script-collection.ts'
import { ScriptObject, type ScriptValue } from '../value/script-value.ts'

/** `doc`: the fields of the document at hand. The same object serves document after document. */
export abstract class DocFields extends ScriptObject {
  readonly className: string = 'org.opensearch.search.lookup.LeafDocLookup'

  /**
   * The values of a field. Asked again for the same name it gives the same object, which tells the
   * values of the document at hand whenever it is asked.
   * @throws {ScriptFault} `illegal_argument_exception` (`unknownField`)
   */
  abstract field(name: string): DocValues

  /** Whether the mapping has a field. */
  abstract has(name: string): boolean

  override text(): string {
    return this.className
  }
}

/** The values of a field in the document at hand, ascending: a list that cannot be changed. */
export abstract class DocValues extends ScriptCollection {
  /** Whether `bareAt` gives longs, doubles, or nothing of use. */
  abstract readonly numbers: 'long' | 'double' | null

  /** @param index below `size` */
  abstract at(index: number): ScriptValue

  /**
   * A number without its box.
   * @param index below `size`
   */
  abstract bareAt(index: number): Long

  /**
   * `doc['f'].value`.
   * @throws {ScriptFault} `illegal_state_exception`: the document has none
   */
  value(): ScriptValue {
    if (this.size === 0) throw missingValue()
    return this.at(0)
  }

  /**
   * The same without its box.
   * @throws {ScriptFault} `illegal_state_exception`: the document has none
   */
  bareValue(): Long {
    if (this.size === 0) throw missingValue()
    return this.bareAt(0)
  }

  override *[Symbol.iterator](): Iterator<ScriptValue> {
    for (let i = 0; i < this.size; i++) yield this.at(i)
  }

  override remove(): boolean {
    throw unmodifiable()
  }

  override clear(): void {
    throw unmodifiable()
  }
}

/** A document without a value for a field whose value is asked for. */
function missingValue(): ScriptFault {
  return new ScriptFault(
    'illegal_state_exception',
    'java.lang.IllegalStateException',
    "A document doesn't have a value for a field! Use doc[<field>].size()==0 to check if a document " +
      'is missing a field!',
  )
}

/** A field that the mapping does not have. */
export function unknownField(name: string): ScriptFault {
  return new ScriptFault(
    'illegal_argument_exception',
    'java.lang.IllegalArgumentException',
    `No field found for [${name}] in mapping`,
  )
}

/** A change of doc values. */
export function unmodifiable(): ScriptFault {
  return unsupportedOperation('doc values are unmodifiable')
}
