import { DocFields, type DocValues, unknownField } from '../../script/doc/doc-values.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { leafDocValues } from './field-doc-values.ts'
import type { LeafDocValues } from './leaf-doc-values.ts'
import type { ScriptField } from './script-field.ts'

/** `doc` over a leaf: columns are opened when a script first asks for their field. */
export class LeafDoc extends DocFields {
  readonly #leaf: Leaf
  readonly #find: (name: string) => ScriptField | null
  readonly #open = new Map<string, LeafDocValues>()
  /** The same in a list, which is walked for each document. */
  readonly #list: LeafDocValues[] = []
  #docId = -1

  /** @param find a field by name; null: the mapping has none */
  constructor(leaf: Leaf, find: (name: string) => ScriptField | null) {
    super()
    this.#leaf = leaf
    this.#find = find
  }

  /** Moves to a document, in any order. */
  moveTo(docId: number): void {
    this.#docId = docId
    const list = this.#list
    for (let i = 0; i < list.length; i++) list[i]!.moveTo(docId)
  }

  override field(name: string): DocValues {
    const known = this.#open.get(name)
    if (known !== undefined) return known
    const field = this.#find(name)
    if (field === null) throw unknownField(name)
    const values = leafDocValues(field, this.#leaf)
    values.moveTo(this.#docId)
    this.#open.set(name, values)
    this.#list.push(values)
    return values
  }

  override has(name: string): boolean {
    return this.#find(name) !== null
  }
}
